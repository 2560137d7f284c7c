/** The command that tells whether a project is whole: what its own files say, first come first served. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readBytes } from '../files.ts'

/** Fits every repository and never fails for what was there before. */
export const HARMLESS_GATE = 'git diff --check'

export function gateFor(repo: string): string {
  const has = (name: string): boolean => existsSync(join(repo, name))
  const text = (name: string): string => {
    const read = readBytes(join(repo, name))
    return read.kind === 'bytes' ? new TextDecoder().decode(read.bytes) : ''
  }
  if (hasTestScript(text('package.json'))) return RUNNERS.find(([lock]) => has(lock))?.[1] ?? 'npm test'
  if (has('Cargo.toml')) return 'cargo test'
  if (
    ['pyproject.toml', 'pytest.ini', 'conftest.py'].some(has) ||
    /^\[tool:pytest\]/m.test(text('setup.cfg'))
  )
    return 'pytest'
  if (has('go.mod')) return 'go test ./...'
  if (['GNUmakefile', 'makefile', 'Makefile'].some((name) => /^test\s*::?(?!=)/m.test(text(name))))
    return 'make test'
  return HARMLESS_GATE
}

const RUNNERS = [
  ['pnpm-lock.yaml', 'pnpm test'],
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
  ['bun.lockb', 'bun run test'],
] as const

/** The one that `npm init` writes only fails. */
function hasTestScript(text: string): boolean {
  const test = parsed(text)?.scripts?.test
  return typeof test === 'string' && test.trim() !== '' && !test.includes('no test specified')
}

function parsed(text: string): { readonly scripts?: { readonly test?: unknown } | null } | null {
  try {
    return JSON.parse(text) as ReturnType<typeof parsed>
  } catch {
    return null
  }
}
