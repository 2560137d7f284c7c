/** The command that makes a fresh checkout of a project usable: by its lock file, which says what and how. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readBytes } from '../files.ts'

export interface Setup {
  readonly run: string
  /** The files it depends on; empty: any of them. */
  readonly needs: readonly string[]
}

/** Null where no file says it: to guess would fail before anybody has worked. */
export function setupFor(repo: string): Setup | null {
  const found = INSTALLERS.find(([lock]) => existsSync(join(repo, lock)))
  const manifest = readBytes(join(repo, 'package.json'))
  if (found === undefined || manifest.kind !== 'bytes') return null
  const [lock, run] = found
  if (runsOwnScripts(new TextDecoder().decode(manifest.bytes))) return { run, needs: [] }
  const settings = SETTINGS.filter((name) => existsSync(join(repo, name.replace('/**', ''))))
  return { run, needs: ['**/package.json', lock, ...settings] }
}

const INSTALLERS = [
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun install --frozen-lockfile'],
  ['package-lock.json', 'npm ci'],
] as const

/** What installers read beside manifests and lock. */
const SETTINGS = [
  '.npmrc',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  '.yarnrc.yml',
  '.yarn/**',
  'bunfig.toml',
  'patches/**',
]

/** Then installing depends on whatever these read. */
function runsOwnScripts(manifest: string): boolean {
  try {
    const { scripts } = JSON.parse(manifest) as { readonly scripts?: unknown }
    const names = typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : []
    return names.some((name) => /^(?:(?:pre|post)?install|(?:pre|post)?prepare|dependencies)$/.test(name))
  } catch {
    return false
  }
}
