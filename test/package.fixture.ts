/** The package as a stranger gets it: packed, and installed in an empty folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Installed {
  /** An empty folder beside it, for a home. */
  readonly home: string
  /** Where `signalbox` is. */
  readonly bin: string
  readonly close: () => void
}

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

export const packedFiles = (): string[] => pack(['--dry-run']).files.map(({ path }) => path)

export function installPackage(): Installed {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-package-')))
  const [home, place] = [join(folder, 'home'), join(folder, 'place')]
  for (const each of [home, place]) mkdirSync(each)
  const { filename } = pack(['--pack-destination', folder])
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet, join(folder, filename)], { cwd: place, stdio: 'pipe' })
  return {
    home,
    bin: join(place, 'node_modules/.bin'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Without its scripts: whoever tests has built it already. */
function pack(args: readonly string[]): Packed {
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...args], { encoding: 'utf8' })
  const [packed] = JSON.parse(told) as Packed[]
  return packed!
}
