/** A small repository with runbooks and scripted agents, a home of its own, and the built command to use on them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import type { Ran } from './command.fixture.ts'

const BIN = resolve('bin/signalbox')
const PATIENCE_MS = 45_000

const RUNBOOKS: Readonly<Record<string, string>> = {
  build: `runbook: 1
name: build
agents:
  dev: { use: dev, writes: ["src/**"] }
  reviewer: { use: reviewer, writes: [] }
steps:
  develop: { agent: dev, prompt: Do it., gate: test -f src/made.txt, next: review }
  review:
    agent: reviewer
    prompt: Review it.
    asks: verdict
    options: { approve: done, reject: { to: develop, max: 1, then: abandoned } }
`,
  ask: `runbook: 1
name: ask
budgets: { rework: 1 }
vars: { what: { default: this } }
steps:
  sign_off:
    decide: "Ship \${var.what}?"
    options:
      ship: { say: Keep it, to: done, recommended: true }
      again: { to: sign_off, spend: rework, then: abandoned }
      drop: { to: abandoned }
      test: { to: later }
  later: { check: "true", options: { pass: done, fail: abandoned } }
`,
  fails: `runbook: 1
name: fails
steps: { test: { check: "echo broken; false", options: { pass: done, fail: abandoned } } }
`,
  needs: `runbook: 1
name: needs
vars: { ticket: { required: true } }
steps: { test: { check: "true", options: { pass: done, fail: abandoned } } }
`,
  missing: `runbook: 1
name: missing
agents: { dev: { use: nobody }, other: { use: gone } }
steps: { work: { agent: dev, prompt: Do it., next: more }, more: { agent: other, prompt: Do it., next: done } }
`,
  hangs: `runbook: 1
name: hangs
agents: { dev: { use: hanger } }
steps: { work: { agent: dev, prompt: Do it., next: done } }
`,
  slow: `runbook: 1
name: slow
steps: { test: { check: "while ! test -f \\"$RELEASE\\"; do sleep 0.1; done", options: { pass: done, fail: abandoned } } }
`,
}

const session = (...turns: object[][]) => JSON.stringify({ sessions: [{ when: {}, turns }] })

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(RUNBOOKS).map(([name, text]) => [`.signalbox/${name}.yaml`, text])),
  '.signalbox/config.yaml': `agents:
  dev: { scripted: dev.json }
  reviewer: { scripted: reviewer.json }
  hanger: { scripted: hanger.json }
  gone: { acp: no-such-agent-program }
`,
  '.signalbox/dev.json': session(
    [{ say: 'FINISHED. Nothing yet.' }],
    [{ write: { path: 'src/made.txt', text: 'made\n' } }, { say: 'Made it.' }],
  ),
  '.signalbox/reviewer.json': session(
    [{ write: { path: 'stray.txt', text: 'not allowed' } }, { answer: { verdict: 'approve' }, via: 'mcp' }],
    [
      { say: 'Reading.' },
      { answer: { verdict: 'perhaps' }, via: 'mcp' },
      { answer: { verdict: 'approve', notes: 'Good.' }, via: 'mcp' },
    ],
  ),
  '.signalbox/hanger.json': session([{ say: 'I am at it.' }, { spawn: 'sleep 987' }, { hang: true }]),
  'README.md': 'A small repository.\n',
}

export interface Project {
  readonly repo: string
  readonly home: string
  readonly path: (name: string) => string
  git(...args: string[]): string
  write(name: string, text: string): void
  /** Lets go what waits for it. */
  release(): void
  /** The command in this repository, to its end. */
  run(...args: string[]): Promise<Ran>
  /** The same in another folder. */
  runAt(folder: string, ...args: string[]): Promise<Ran>
  /** The command, left running. Ended with the test at the latest. */
  begin(...args: string[]): Going
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** The command as a server that an MCP client starts. */
  transport(...args: string[]): StdioClientTransport
  /** Pids of everything that was started for this home. */
  agents(): number[]
}

export interface Going {
  readonly pid: number
  out(): string
  /** Resolves when the output has the words. */
  says(words: string | RegExp): Promise<void>
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<Ran>
}

export function openProject(): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')))
  const [repo, home] = [join(folder, 'repo'), join(folder, 'home')]
  const { NO_COLOR: _colour, FORCE_COLOR: _force, ...rest } = process.env
  const env: Record<string, string> = {
    ...(rest as Record<string, string>),
    HOME: join(folder, 'user'),
    TMPDIR: folder,
    SIGNALBOX_HOME: home,
    SIGNALBOX_CONFIG: join(folder, 'config'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    RELEASE: join(folder, 'released/now'),
  }
  // What is held up until it is released must see that it is.
  for (const each of ['config', 'released']) mkdirSync(join(folder, each))
  writeFileSync(
    join(folder, 'config/config.yaml'),
    `sandbox: { shared: [${join(folder, 'released')}], env: [RELEASE] }\n`,
  )
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(repo, name)), { recursive: true })
    writeFileSync(join(repo, name), text)
  }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
      cwd: repo,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  for (const [name, text] of Object.entries(FILES)) write(name, text)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')

  const beginAt = (cwd: string, args: readonly string[]): Going =>
    going(spawn(BIN, args, { cwd, env, stdio: 'pipe' }))
  const begin = (...args: string[]): Going => beginAt(repo, args)
  const runAt = async (cwd: string, ...args: string[]): Promise<Ran> => {
    const started = beginAt(cwd, args)
    const late = setTimeout(() => started.signal('SIGKILL'), PATIENCE_MS)
    const ran = await started.ended
    clearTimeout(late)
    return ran
  }
  const run = (...args: string[]): Promise<Ran> => runAt(repo, ...args)
  onTestFinished(async () => {
    // A host that ended well has taken its door with it.
    if (existsSync(join(home, 'host.json'))) await run('down')
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    repo,
    home,
    path: (name) => join(folder, name),
    git,
    write,
    release: () => writeFileSync(join(folder, 'released/now'), ''),
    run,
    runAt,
    begin,
    json: async (...args) => {
      const ran = await run(...args, '--json')
      try {
        return JSON.parse(ran.out)
      } catch {
        throw new Error(`no JSON from ${args.join(' ')}: ${ran.out}${ran.err}`)
      }
    },
    transport: (...args) => new StdioClientTransport({ command: BIN, args, cwd: repo, env }),
    agents: () => processesWith(folder).filter((pid) => pid !== process.pid),
  }
}

function going(child: ChildProcess): Going {
  let [out, err] = ['', '']
  let over = false
  let heard = (): void => {}
  child.stdin?.end()
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
    heard()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8')
    heard()
  })
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      over = true
      heard()
      resolve({ code, out, err })
    })
  })
  onTestFinished(() => {
    if (!over) child.kill('SIGKILL')
  })
  const has = (words: string | RegExp): boolean =>
    typeof words === 'string' ? `${out}${err}`.includes(words) : words.test(`${out}${err}`)
  return {
    pid: child.pid!,
    out: () => out,
    ended,
    signal: (name) => child.kill(name),
    says: async (words) => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      while (!has(words)) {
        if (over) throw new Error(`ended without saying ${String(words)}:\n${out}\n${err}`)
        await new Promise<void>((resolve) => (heard = resolve))
      }
      clearTimeout(deadline)
    },
  }
}

/** Whatever has this folder in its environment: agents, and what they started. */
function processesWith(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder) ? [Number(pid)] : []
      } catch {
        return []
      }
    })
}
