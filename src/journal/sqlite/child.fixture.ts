/** Runs `child-main.fixture.ts` as a real process. Built once for a test file, and ended after each test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, afterEach, beforeAll } from 'vitest'

export interface Child {
  /** What it has said so far. */
  readonly lines: readonly string[]
  said(enough: (lines: readonly string[]) => boolean): Promise<void>
  /** Resolves when it is gone and everything it said was read. */
  kill(): Promise<void>
  ended(): Promise<void>
}

const PATIENCE_MS = 30_000

/** `limit` is a line of shell that goes before, such as `ulimit -f 100`. */
export interface Start {
  readonly mode: 'lock' | 'write' | 'fill'
  readonly file: string
  readonly limit?: string
}

export function openChildren(): (start: Start) => Child {
  let folder: string
  let program: string
  const running = new Set<Child>()
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-child-'))
    program = join(folder, 'child.mjs')
    const sqlite = fileURLToPath(import.meta.resolve('@photostructure/sqlite'))
    buildSync({
      entryPoints: [fileURLToPath(new URL('./child-main.fixture.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      alias: { '@photostructure/sqlite': sqlite },
      external: [sqlite],
      logLevel: 'error',
    })
  })
  afterEach(async () => {
    for (const child of [...running]) await child.kill()
    running.clear()
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  return ({ mode, file, limit = 'true' }) => {
    // `exec` makes the shell the child itself, so that a kill reaches it.
    const line = `${limit} && exec "$0" "$@"`
    const args = ['-c', line, process.execPath, program, mode, file]
    const child = listen(spawn('sh', args, { stdio: ['pipe', 'pipe', 'inherit'] }))
    running.add(child)
    return child
  }
}

function listen(started: ChildProcess): Child {
  const lines: string[] = []
  const closed = once(started, 'close')
  let noticed = () => {}
  createInterface(started.stdout!).on('line', (line) => {
    lines.push(line)
    noticed()
  })
  const ended = async () => void (await closed)
  return {
    lines,
    said: (enough) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`still waiting; it said: ${lines.join()}`)),
          PATIENCE_MS,
        )
        noticed = () => {
          if (!enough(lines)) return
          clearTimeout(late)
          resolve()
        }
        noticed()
      }),
    kill() {
      started.kill('SIGKILL')
      return ended()
    },
    ended,
  }
}
