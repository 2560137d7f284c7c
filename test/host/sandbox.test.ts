/** The same with the sandbox that users get, where the machine can make one. */
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findSandbox } from '../../src/drivers/index.ts'
import { logFile } from '../../src/host/machine/log.ts'
import { type HouseOptions, houses } from './host.fixture.ts'
import { eventually, PERSON } from './run.fixture.ts'

const openHouse = houses()
/** Where nvm keeps a version. */
const NODE = 'user/.nvm/versions/node/v20.0.0'
const sandbox = await findSandbox(process.env['PATH'] ?? '')
if ('why' in sandbox) {
  if (process.env['CI']) throw new Error(sandbox.why)
  console.warn(`not tested: ${sandbox.why}`)
}
const engine = 'engine' in sandbox ? sandbox.engine : null
const boxedIt = engine === null ? it.skip : it.concurrent

/** The agent's files lie in /tmp here, so they must be named to be seen inside. */
const boxed: Pick<HouseOptions, 'engine' | 'programFor'> = {
  engine,
  programFor: (_, scripted, agentFile) => {
    const state = join(dirname(scripted.argv.at(-1)!), 'state')
    mkdirSync(state, { recursive: true })
    const argv = [process.execPath, agentFile, ...scripted.argv, '--state', state]
    return { ...scripted, driver: 'acp', argv, writes: [state] }
  },
}

boxedIt('a whole run goes through: answers, gates, commits, the answer over MCP', async () => {
  const house = await openHouse({
    ...boxed,
    doors: true,
    permissions: 'auto',
    runbook: `
      steps:
        develop: { agent: dev, gate: 'test -f src/new.ts && echo gate > .signalbox/run/gate.txt', next: review }
        review: { agent: dev, options: { good: done, poor: abandoned } }
    `,
    plays: {
      develop: [
        [{ say: 'FINISHED' }],
        [
          {
            permission: { title: 'write' },
            allowed: [{ write: { path: 'src/new.ts', text: '1' } }],
            rejected: [],
          },
          { run: 'git add -A && git -c user.name=x -c user.email=x@x commit -qm own' },
        ],
      ],
      review: [[{ answer: { decision: 'good' }, via: 'mcp' }]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(await run.all('gate.failed')).toHaveLength(1)
  expect(run.work.git('log', '-1', '--format=%s')).toBe('own')
  expect((await run.until('answer.received')).via).toBe('mcp')
  expect((await run.until('session.opened')).confined).toBe('bubblewrap')
})

it('[X9] the record and the card say where nothing held an agent', async () => {
  const house = await openHouse({
    engine: null,
    runbook: `
      steps:
        develop: { agent: dev, next: ship }
        ship: { decide: Ship it?, options: { yes: done, no: abandoned } }
    `,
    plays: { develop: [[{ say: 'FINISHED' }]] },
  })
  const run = await house.start()
  expect((await run.until('session.opened')).confined).toBe('none')
  await run.until('question.opened')
  const page = await house.host().decisions(PERSON).list({ status: 'pending', cursor: null, limit: 10 })
  expect(page).toMatchObject({ rows: [{ run: run.id, confined: 'none' }] })
})

boxedIt('keeps agents and gates from the checkout, the host’s data and other runs', async () => {
  const house = await openHouse({
    ...boxed,
    runbook: `
      steps:
        develop: { agent: dev, gate: 'ls -A "$HOME" > .signalbox/run/gate-home.txt; touch "$HOME/gate"; true', next: done }
    `,
  })
  const out = '.signalbox/run/tried.txt'
  const tries = [
    `touch ${house.repo.dir}/new.txt`,
    `cat ${house.repo.dir}/a.txt && echo checkout >> ${out}`,
    `cat ${house.home.database} > /dev/null && echo journal >> ${out}`,
    `ls ${house.home.answers} && echo answers >> ${out}`,
    `mkdir -p ${house.repo.dir}/.git/hooks && touch ${house.repo.dir}/.git/hooks/post-commit`,
  ]
  house.rehearse({ develop: [[...tries.map((run) => ({ run })), { run: `echo end >> ${out}` }]] })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.work.read(out)).toBe('end\n')
  expect(['new.txt', '.git/hooks/post-commit'].filter((name) => house.repo.has(name))).toEqual([])
  expect(run.work.read('.signalbox/run/gate-home.txt')).not.toContain('signalbox.db')
})

boxedIt(
  '[W14] a gate finds itself where the worktree is, in the very commit, with a home of its own',
  async () => {
    const look = 'pwd; ls -A; cat made; git log -1 --format=%s; ls -A ~; echo gate > a.txt; touch ~/left'
    const house = await openHouse({
      ...boxed,
      files: { 'a.txt': 'a\n', '.gitignore': 'made\nignored\n' },
      runbook: `
      setup: { run: 'pwd > made', needs: [a.txt] }
      steps: { develop: { agent: dev, gate: { run: '${look}', expect: none }, next: again }, again: { check: '${look}', next: done } }
    `,
      plays: { develop: [[{ run: 'touch ignored b.txt; echo forged > made' }]] },
    })
    const run = await house.start()
    expect(await run.end()).toBe('done')
    const { output } = (await run.until('gate.passed')).evidence
    expect(output).toContain(
      `${run.work.dir}\n.git\n.gitignore\n.signalbox\n.vibe\na.txt\nb.txt\nmade\n${run.work.dir}\n`,
    )
    expect(output).toContain('develop: work of dev')
    const [, second] = await run.all('check.reported')
    expect(second?.evidence.output).toBe(output)
    expect([run.work.read('a.txt'), run.work.read('made')]).toEqual(['a\n', 'forged\n'])
  },
)

boxedIt('[X1] shows of the home what was granted, and nothing else', async () => {
  const house = await openHouse({
    ...boxed,
    rules: { readable: ['~/notes'], shared: ['~/.cache/shared'] },
    runbook: 'steps: { develop: { agent: dev, next: done } }',
  })
  const place = (name: string, text: string): void => {
    mkdirSync(dirname(join(house.userHome, name)), { recursive: true })
    writeFileSync(join(house.userHome, name), text)
  }
  place('.ssh/id_ed25519', 'private key')
  place('.aws/credentials', 'cloud key')
  place('other-project/.env', 'a password')
  place('notes/a', 'granted\n')
  place('.cache/shared/x', '')
  place('.cargo/registry/index', 'crates\n')
  place('.cargo/credentials.toml', 'a token')
  // Toolchains are found when the host begins.
  await house.restart()
  const out = '.signalbox/run/seen.txt'
  const commands = [
    'cat ~/.ssh/id_ed25519 ~/.aws/credentials ~/other-project/.env ~/.cargo/credentials.toml',
    'cat ~/notes/a ~/.cargo/registry/index',
    'echo no > ~/notes/a',
    'echo no > ~/.cargo/registry/index',
    'echo yes > ~/.cache/shared/new',
    'echo own > ~/own; mkdir -p ~/.tool && echo deep > ~/.tool/cache && cat ~/own ~/.tool/cache',
  ]
  house.rehearse({ develop: [commands.map((each) => ({ run: `(${each}) >> ${out} 2>&1; true` }))] })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const seen = run.work.read(out)
  expect(seen).toContain('granted\ncrates\n')
  expect(seen).toContain('own\ndeep\n')
  expect(seen).not.toMatch(/private key|cloud key|password|a token/)
  const inHome = (name: string): string => readFileSync(join(house.userHome, name), 'utf8')
  expect([inHome('notes/a'), inHome('.cargo/registry/index')]).toEqual(['granted\n', 'crates\n'])
  expect(inHome('.cache/shared/new')).toBe('yes\n')
  expect(existsSync(join(house.userHome, 'own'))).toBe(false)
})

boxedIt(
  '[X3] starts an agent that a version manager keeps in the home, and lets gates use its node',
  async () => {
    const house = await openHouse({
      engine,
      under: '/var/tmp',
      environment: (ground) => ({ PATH: `${join(ground, NODE, 'bin')}:/usr/bin:/bin` }),
      programFor: (_, scripted) => ({ ...scripted, driver: 'command', argv: ['versioned-agent'] }),
      runbook: `
      steps:
        judge:
          agent: dev
          gate: { run: 'command -v node | grep -q /user/.nvm/ && node -e 0', expect: none, max: 1 }
          options: { good: done, poor: abandoned }
    `,
    })
    const place = (name: string, text: string, mode = 0o644): void => {
      const file = join(house.ground, NODE, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { mode })
    }
    const modules = 'lib/node_modules'
    place(`${modules}/words/index.js`, `module.exports = '\`\`\`json\\n{"decision":"good"}\\n\`\`\`'`)
    const agent = `#!/usr/bin/env node\nprocess.stdin.resume().on('end', () => console.log(require('words')))`
    place(`${modules}/versioned-agent/cli.js`, agent, 0o755)
    mkdirSync(join(house.ground, NODE, 'bin'))
    symlinkSync(`../${modules}/versioned-agent/cli.js`, join(house.ground, NODE, 'bin/versioned-agent'))
    copyFileSync(process.execPath, join(house.ground, NODE, 'bin/node'))
    await house.restart()
    const run = await house.start()
    expect(await run.end()).toBe('done')
    expect(await run.all('gate.passed')).toHaveLength(1)
  },
)

boxedIt('[X2] gives each agent a home of its own and commands another, gone with the run', async () => {
  const house = await openHouse({
    ...boxed,
    runbook: `
      steps:
        first: { agent: dev, gate: 'ls -A ~ > .signalbox/run/gate.txt; echo planted > ~/.npmrc', next: again }
        again: { agent: dev, next: other }
        other: { agent: reviewer, next: done }
    `,
    plays: {
      first: [[{ run: 'echo mine > ~/.gitconfig; echo "$HOME" > .signalbox/run/home.txt' }]],
      again: [[{ run: 'ls -A ~ > .signalbox/run/again.txt' }]],
      other: [[{ run: 'ls -A ~ > .signalbox/run/other.txt' }]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.work.read('.signalbox/run/home.txt')).toBe(`${house.userHome}\n`)
  expect(run.work.read('.signalbox/run/gate.txt')).not.toContain('.gitconfig')
  expect(run.work.read('.signalbox/run/again.txt')).toContain('.gitconfig')
  expect(run.work.read('.signalbox/run/other.txt')).not.toMatch(/gitconfig|npmrc/)
  await house.host().discard(run.id, { by: PERSON, unmerged: true })
  expect(readdirSync(house.home.grounds)).toEqual([])
})

boxedIt('[X5] passes on what is listed, and no key of an agent to a command', async () => {
  const house = await openHouse({
    ...boxed,
    environment: () => ({
      OPENAI_API_KEY: 'agent-key',
      AWS_SECRET_ACCESS_KEY: 'cloud-key',
      NPM_TOKEN: 'npm-key',
      LC_TIME: 'C',
    }),
    rules: { env: ['NPM_TOKEN'] },
    programFor: (use, scripted, agentFile) => ({
      ...boxed.programFor!(use, scripted, agentFile)!,
      passes: ['OPENAI_*'],
    }),
    runbook: `steps: { develop: { agent: dev, gate: 'env > .signalbox/run/gate.txt', next: done } }`,
    plays: { develop: [[{ run: 'env > .signalbox/run/agent.txt' }]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const had = (file: string): string[] =>
    run.work
      .read(file)
      .split('\n')
      .filter((line) => /_KEY=|NPM_TOKEN|LC_TIME/.test(line))
      .sort()
  expect(had('.signalbox/run/agent.txt')).toEqual([
    'LC_TIME=C',
    'NPM_TOKEN=npm-key',
    'OPENAI_API_KEY=agent-key',
  ])
  expect(had('.signalbox/run/gate.txt')).toEqual(['LC_TIME=C', 'NPM_TOKEN=npm-key'])
})

boxedIt(
  '[X7] a role without network reaches our tools and nothing else, and reads its repository only',
  async () => {
    const house = await openHouse({
      ...boxed,
      doors: true,
      runbook: `
      agents: { dev: { network: 'off', git: read } }
      steps: { develop: { agent: dev, options: { good: done, poor: abandoned } } }
    `,
    })
    const elsewhere = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    onTestFinished(() => void elsewhere.close())
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    const script = `require("net").connect(${port}, "127.0.0.1").on("error", () => {}).pipe(process.stdout)`
    house.rehearse({
      develop: [
        [
          { run: `node -e '${script}' > .signalbox/run/reached.txt` },
          { run: 'git log -1 --format=%s > .signalbox/run/log.txt' },
          {
            run: 'echo 1 > new.txt; git add new.txt; git -c user.name=x -c user.email=x@x commit -qm own; true',
          },
          { answer: { decision: 'good' }, via: 'mcp' },
        ],
      ],
    })
    const run = await house.start()
    expect(await run.end()).toBe('done')
    expect((await run.until('answer.received')).via).toBe('mcp')
    expect(run.work.read('.signalbox/run/reached.txt')).toBe('')
    expect(run.work.read('.signalbox/run/log.txt')).toBe('first\n')
    expect(run.work.git('log', '-1', '--format=%s')).not.toBe('own')
    expect(run.work.git('show', 'HEAD:new.txt')).toBe('1')
  },
)

boxedIt('[X8] no member of a panel, and no command, reads or writes what another answers', async () => {
  const house = await openHouse({
    ...boxed,
    runbook: `
      agents: { honest: {}, evil: {} }
      steps:
        review: { panel: [honest, evil], options: { good: done, poor: look } }
        look: { check: 'ls "$(cat .signalbox/run/where.txt)" > .signalbox/run/look.txt 2>&1; true', next: done }
    `,
  })
  const meanwhile = (file: string): string => `until test -s .signalbox/run/${file}; do sleep 0.05; done`
  const forge = `
    dir=$(cat .signalbox/run/where.txt)
    cat "$dir/answer.json" > .signalbox/run/stolen.txt
    mkdir -p "$dir"; echo '{"decision":"good"}' > "$dir/answer.json"
    echo tried > .signalbox/run/tried.txt
  `
  house.rehearse({
    'review@honest': [
      [
        { answer: { decision: 'poor' }, via: 'file' },
        { run: 'dirname "$SIGNALBOX_ANSWER_FILE" > .signalbox/run/where.txt' },
        { run: meanwhile('tried.txt') },
      ],
    ],
    'review@evil': [
      [{ run: meanwhile('where.txt') }, { run: forge }, { answer: { decision: 'good' }, via: 'file' }],
    ],
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.all('answer.received')).map(({ via }) => via)).toEqual(['file', 'file'])
  expect((await run.until('visit.left')).outcome).toBe('poor')
  expect(run.work.read('.signalbox/run/stolen.txt')).toBe('')
  expect(run.work.read('.signalbox/run/look.txt')).toMatch(/No such file/)
})

boxedIt('[D15] tells in the log which hosts an agent was kept from', async () => {
  const asking = [
    'const { hostname, port } = new URL(process.env.HTTP_PROXY)',
    'const path = "http://kept.example.com/"',
    'require("http").get({ host: hostname, port, path }, (reply) => reply.resume()).on("error", () => {})',
  ]
  const house = await openHouse({
    ...boxed,
    runbook: `
      agents: { dev: { network: [listed.example.com] } }
      steps: { develop: { agent: dev, next: done } }
    `,
    plays: { develop: [[{ run: `node -e '${asking.join(';')}'` }]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const log = (): string => readFileSync(logFile(house.home.logs, run.id), 'utf8')
  await eventually(() => log().includes('network: kept.example.com:80 was not reached.')).toBe(true)
})

boxedIt('[X7] what an agent’s code reaches through its gate is what the agent reaches', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const call = `"${process.execPath}" -e "require('net').connect(${port}, '127.0.0.1').on('error', () => process.exit(3))"`
  const house = await openHouse({
    ...boxed,
    rules: { network: ['*', `localhost:${port}`] },
    runbook: `
      setup: { run: ${JSON.stringify(call)} }
      agents: { dev: { network: off }, other: {} }
      steps:
        held: { agent: dev, gate: { run: ${JSON.stringify(call)}, max: 0, expect: none }, next: abandoned, on: { failed: free } }
        free: { agent: other, gate: { run: ${JSON.stringify(call)}, max: 0, expect: none }, next: done }
    `,
    plays: { held: [[{ say: 'FINISHED' }]], free: [[{ say: 'FINISHED' }]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
})
