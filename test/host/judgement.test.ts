/** What commands judge: the very commit, with what setup made, and nothing of what an agent left beside it. */
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'

const openHouse = houses()
const write = (path: string, text = 'x\n') => ({ write: { path, text } })

/** A project whose check is installed by setup: `tools/check` passes when the lock says so and the file is mended. */
const PROJECT = {
  'a.txt': 'broken\n',
  'lock.txt': 'grep -q mended a.txt\n',
  '.gitignore': 'tools\n',
}
const SETUP = `setup: { run: 'mkdir tools && cp lock.txt tools/check && chmod +x tools/check', needs: [lock.txt] }`

it.concurrent('[W14] a gate runs what setup made, not what an agent put in its place', async () => {
  const house = await openHouse({
    files: PROJECT,
    runbook: `
      ${SETUP}
      steps: { develop: { agent: dev, gate: { run: sh tools/check, max: 1 }, next: done } }
    `,
    plays: {
      develop: [[write('tools/check', 'exit 0\n'), { run: 'cat tools/check' }], [write('a.txt', 'mended\n')]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.work.read('tools/check')).toBe('exit 0\n')
  expect(await run.all('gate.failed')).toHaveLength(1)
  const { evidence } = await run.until('gate.passed')
  expect(evidence).toMatchObject({ commit: run.work.git('rev-parse', 'HEAD') })
  expect(evidence.beside).toBeUndefined()
})

it.concurrent('[W15] an agent that changes what setup needs is judged by what setup makes of that', async () => {
  const house = await openHouse({
    files: PROJECT,
    runbook: `
      ${SETUP}
      steps: { develop: { agent: dev, gate: { run: sh tools/check, max: 1 }, next: done } }
    `,
    plays: {
      develop: [[{ run: 'git rm -q lock.txt' }], [write('lock.txt', 'grep -q x b.txt\n'), write('b.txt')]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const { message } = await run.until('gate.failed')
  expect(message).toContain('The setup of the flow failed on this commit.')
})

it.concurrent('[W5] a gate and a check that says nothing of writing leave nothing; what they keep for others is kept', async () => {
  const spoil = 'echo spoilt > a.txt; echo new > new.txt; echo report > .signalbox/run/report.txt'
  const house = await openHouse({
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: '${spoil}', expect: none }, next: look }
        look: { check: 'cat a.txt; ${spoil}', next: done }
    `,
    plays: { develop: [[write('a.txt', 'mine\n')]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.all('check.reported'))[0]?.evidence).toMatchObject({
    output: 'mine\n',
    commit: run.work.git('rev-parse', 'HEAD'),
  })
  expect([run.work.read('a.txt'), run.work.has('new.txt')]).toEqual(['mine\n', false])
  expect(run.work.git('status', '--porcelain')).toBe('')
  expect(run.work.read('.signalbox/run/report.txt')).toBe('report\n')
  expect(await run.until('artifact.kept')).toMatchObject({ step: 'develop', name: 'report.txt' })
})

it.concurrent('[W16] without setup it runs beside the files that git ignores, and says so', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n', '.gitignore': 'deps\n' },
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: 'echo gate > a.txt; cat deps/tool', expect: none }, next: sign_off }
        sign_off: { decide: Ship it?, context: cat deps/tool, options: { ship: done, drop: abandoned } }
    `,
    plays: { develop: [[write('deps/tool', 'tool\n'), write('b.txt')]] },
  })
  const run = await house.start()
  const { context } = await run.question()
  expect((await run.until('gate.passed')).evidence).toMatchObject({ beside: ['deps/'], output: 'tool\n' })
  expect(context['context']).toContain('found beside files that agents can change: deps/')
  expect(run.work.read('a.txt')).toBe('a\n')
  expect(context['how gates ran']).toContain('beside files that agents can change: deps/.')
})

it.concurrent('[W5] a check that says what it writes is held to that, and it is committed', async () => {
  const house = await openHouse({
    runbook: `
      steps: { format: { check: 'echo tidy > src/code.ts; echo stray > a.txt', writes: ['src/**'], next: done } }
    `,
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.work.git('show', '--name-only', '--format=%s', 'HEAD')).toBe('format: check\n\nsrc/code.ts')
  expect((await run.until('boundary.held')).files).toEqual(['a.txt'])
})

it.concurrent('[W14] what a person is shown cannot be forged by replaced objects, settings or the index', async () => {
  const forge = [
    'git add -A && git -c user.name=x -c user.email=x@x commit -qm mine',
    'git replace HEAD $(git rev-parse HEAD~1)',
    'git config diff.external true',
    'git update-index --assume-unchanged a.txt',
  ].join(' && ')
  const house = await openHouse({
    runbook: `
      steps:
        develop: { agent: dev, next: sign_off }
        sign_off: { decide: Ship it?, context: 'git diff \${run.base} HEAD', options: { ship: done, drop: abandoned } }
    `,
    plays: { develop: [[write('a.txt', 'backdoor\n'), { run: forge }]] },
  })
  const run = await house.start()
  const { context } = await run.question()
  expect(context['context']).toContain('+backdoor')
})

it.concurrent('[W17] a run has the files and the port it was given, and so has what judges it', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n', '.gitignore': '.env\n' },
    rules: { brings: ['.env'] },
    runbook: `
      setup: { run: 'test ! -e .env', needs: [a.txt] }
      steps: { develop: { agent: dev, prompt: 'Serve at \${run.port}.', gate: { run: 'cat .env; echo \${run.port}', expect: none }, next: done } }
    `,
    plays: { develop: [[{ run: 'cp .env seen.txt' }]] },
  })
  house.repo.write('.env', 'KEY=1\n')
  const runs = await Promise.all([house.start(), house.start()])
  for (const run of runs) expect(await run.end()).toBe('done')
  const ports = await Promise.all(runs.map(async (run) => (await run.until('run.placed')).placement.port))
  expect(new Set(ports).size).toBe(2)
  const [run] = runs
  expect((await run!.until('gate.passed')).evidence.output).toBe(`KEY=1\n${ports[0]}\n`)
  expect(run!.work.git('show', '--format=', '--name-only', 'HEAD')).toBe('seen.txt')
  expect(house.wire.some(({ message }) => JSON.stringify(message).includes(`Serve at ${ports[0]}.`))).toBe(
    true,
  )
})

it.concurrent('[W14] what one command runs has no say in what the next one shows', async () => {
  const forge = 'git config diff.external true; git checkout -q HEAD~1 -- a.txt; touch left'
  const house = await openHouse({
    files: { 'a.txt': 'a\n', 'test.sh': 'exit 0\n' },
    runbook: `
      steps:
        develop: { agent: dev, next: sign_off }
        sign_off:
          decide: Ship it?
          context: { tests: { run: sh test.sh }, diff: { run: 'git diff \${run.base}' }, files: { run: ls } }
          options: { ship: done, drop: abandoned }
    `,
    plays: { develop: [[write('a.txt', 'backdoor\n'), write('test.sh', `${forge}\n`)]] },
  })
  const run = await house.start()
  const { context } = await run.question()
  expect(context['diff']).toContain('+backdoor')
  expect(context['files']).toBe('a.txt\ntest.sh')
})

it.concurrent('[W16] files that the user brings are no doubt: a gate has them as the user has them', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n', '.gitignore': '.env\n' },
    rules: { brings: ['.env'] },
    runbook: `
      steps: { develop: { agent: dev, gate: { run: cat .env, expect: none }, next: done } }
    `,
    plays: { develop: [[write('.env', 'KEY=agent\n')]] },
  })
  house.repo.write('.env', 'KEY=1\n')
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const { evidence } = await run.until('gate.passed')
  expect([evidence.output, evidence.beside]).toEqual(['KEY=1\n', undefined])
})

it.concurrent('[W14] what an agent left in the run’s folder is there for a command that names it, and for no other', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n' },
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: 'find . -name "*.test.sh"', expect: none }, next: look }
        look: { check: 'ls .signalbox/run', next: done }
    `,
    plays: { develop: [[write('b.txt'), write('.signalbox/run/planted.test.sh')]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('gate.passed')).evidence.output).toBe('')
  expect((await run.all('check.reported'))[0]?.evidence).toMatchObject({ output: 'planted.test.sh\n' })
})

it.concurrent('[W16] a gate beside ignored files takes nothing from another member of its panel', async () => {
  const good = { answer: { decision: 'good' }, via: 'file' } as const
  const house = await openHouse({
    files: { 'a.txt': 'a\n', '.gitignore': 'deps\n' },
    runbook: `
      agents: { one: { gate: { run: 'true', expect: none } }, two: {} }
      steps: { review: { panel: [one, two], options: { good: done, poor: abandoned } } }
    `,
    plays: {
      'review@one': [[write('deps/tool'), good]],
      'review@two': [
        [
          write('b.txt'),
          { run: 'until test -f .signalbox/run/go; do sleep 0.05; done' },
          write('c.txt'),
          good,
        ],
      ],
    },
  })
  const run = await house.start()
  const { evidence } = await run.until('gate.passed')
  expect(evidence.beside).toEqual(['deps/'])
  run.work.write('.signalbox/run/go', '')
  expect(await run.end()).toBe('done')
  expect(await run.all('boundary.held')).toEqual([])
  expect(run.work.git('diff', '--name-only', 'main', 'HEAD').split('\n')).toEqual(['b.txt', 'c.txt'])
})
