/** A user's config folder and a project, each with its file, in a temporary folder; and programs to be found. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Place {
  readonly dir: string
  readonly configDir: string
  readonly repo: string
  readonly searchPath: string
  readonly write: (name: string, content: string | Uint8Array) => string
  /** A program on the search path. */
  readonly program: (name: string, script: string) => string
}

export function createPlace(files: { readonly user?: string; readonly project?: string } = {}): Place {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-config-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const write = (name: string, content: string | Uint8Array): string => {
    const file = join(dir, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  if (files.user !== undefined) write('user/config.yaml', files.user)
  if (files.project !== undefined) write('project/.signalbox/config.yaml', files.project)
  return {
    dir,
    configDir: join(dir, 'user'),
    repo: join(dir, 'project'),
    searchPath: join(dir, 'bin'),
    write,
    program: (name, script) => {
      const file = write(`bin/${name}`, `#!/bin/sh\n${script}\n`)
      chmodSync(file, 0o755)
      return file
    },
  }
}
