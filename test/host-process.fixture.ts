/** The host as a user starts it: `signalbox up` in a process of its own, that can be killed at any moment. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DoorFile } from '../src/cli/hosting/door-file.ts'
import type { FoundHost } from '../src/cli/hosting/find-host.ts'

export interface HostProcess {
  readonly pid: number
  /** Resolves when it says that it is up, with its door; null when it ended before. */
  readonly up: Promise<FoundHost | null>
  kill(): Promise<void>
  /** Resolves when nothing of it moves any more, until it is thawed or killed. */
  freeze(): Promise<void>
  thaw(): void
  /** Asks it to stop, as Ctrl-C does; gives back its exit code. */
  stop(): Promise<number | null>
  /** What it complained of. */
  stderr(): string
}

/** Whoever changes the host may build it elsewhere and say so. */
const BUILD = resolve(process.env['CHAOS_DIST'] ?? 'dist')

export const commandOf = (args: readonly string[]): readonly string[] => [
  process.execPath,
  join(BUILD, 'cli/main.js'),
  ...args,
]

export interface HostOrder {
  readonly env: Readonly<Record<string, string>>
  /** Where its home keeps the door. */
  readonly doorFile: string
  /** 0: any. */
  readonly port: number
  /** What is said beside, such as where to keep a trace. */
  readonly words?: readonly string[]
  /** What is said to Node itself. */
  readonly nodeWords?: readonly string[]
}

export function startHost({ env, doorFile, port, words: more = [], nodeWords = [] }: HostOrder): HostProcess {
  const [program, ...words] = commandOf(['up', '--port', `${port}`, ...more])
  const child = spawn(program!, [...nodeWords, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  // What it says later, such as its farewell, comes when the file may be gone.
  let isUp = false
  let complained = ''
  const gone = new Promise<number | null>((done) => child.once('close', done))
  const up = new Promise<FoundHost | null>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (isUp) return
      said += text
      isUp = said.includes('Signalbox is up at')
      if (isUp) done(foundBy(doorFile))
    })
    void gone.then(() => done(null))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return gone
  }
  return {
    pid: child.pid!,
    up,
    freeze: async () => {
      child.kill('SIGSTOP')
      while (child.exitCode === null && child.signalCode === null && isMoving(child.pid!)) await pause(0)
    },
    thaw: () => void child.kill('SIGCONT'),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    stderr: () => complained,
  }
}

const foundBy = (doorFile: string): FoundHost => ({
  ...(JSON.parse(readFileSync(doorFile, 'utf8')) as DoorFile),
  socket: join(dirname(doorFile), 'host.sock'),
})

/** Only Linux tells; elsewhere the word is taken for the deed. */
function isMoving(pid: number): boolean {
  try {
    return !/\) [TtZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
