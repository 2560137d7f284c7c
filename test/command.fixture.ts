/** The built command, run as a user runs it: a process of its own, with pipes instead of a terminal. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const PATIENCE_MS = 90_000

export const signalbox = (...args: string[]): Promise<Ran> => run('bin/signalbox', args)

/** A line for the shell, for what only a shell does. */
export const shell = (line: string): Promise<Ran> => run('sh', ['-c', line])

export function run(command: string, args: readonly string[], cwd = '.'): Promise<Ran> {
  const { NO_COLOR: _colour, FORCE_COLOR: _force, ...env } = process.env
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS })
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    return () => Buffer.concat(chunks).toString('utf8')
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done({ code, out: out!(), err: err!() }))
  })
}

export interface Scratch {
  readonly path: (name: string) => string
  readonly write: (name: string, content: string | Uint8Array) => string
  readonly close: () => void
}

/** A folder of its own, gone afterwards. */
export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'))
  const path = (name: string) => join(folder, name)
  return {
    path,
    write: (name, content) => {
      writeFileSync(path(name), content)
      return path(name)
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const diagnosticsIn = ({ out }: Ran): string[] =>
  out.split('\n').filter((line) => /\b(error|warning)\[[a-z0-9-]+\]/.test(line))

/** Whatever happened, a person is told in sentences. */
export function expectNoCrash({ out, err }: Ran): void {
  for (const text of [out, err]) {
    expect(text).not.toMatch(/^\s+at /m)
    expect(text).not.toMatch(/\bat (async )?(file:|[\w.<>]+ \()/)
    expect(text).not.toContain('node:internal')
    expect(text).not.toContain('Node.js v')
  }
}
