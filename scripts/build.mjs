// Bundles the command and the library entry into dist/, unless it is there already, made of the same sources. Dependencies
// stay outside the bundle.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, version } from 'node:process'

/** What dist/ was made of. It stands in there: whoever clears dist/ away gets a new one. */
const STAMP = 'dist/made-of'
const made = madeOf()
if (!argv.includes('--force') && stamp() === made) exit()

const { build } = await import('esbuild')
// Beside it first: a build that fails leaves the last one as it was.
const NEXT = 'dist.next'
rmSync(NEXT, { recursive: true, force: true })
await build({
  entryPoints: {
    'cli/main': 'src/cli/main.ts',
    'drivers/scripted-agent': 'src/drivers/scripted/agent.ts',
    'drivers/mcp-bridge': 'src/drivers/mcp-bridge.ts',
    'cli/load-typescript': 'src/cli/runbooks/load-typescript.ts',
    index: 'src/index.ts',
  },
  outdir: NEXT,
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
})
rmSync('dist', { recursive: true, force: true })
renameSync(NEXT, 'dist')
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.declarations.json'], { stdio: 'inherit' })
// Last: without it, what was cut short is made anew.
writeFileSync(STAMP, made)

/** Every page that can be in the product, and whatever says how it is made. */
function madeOf() {
  const pages = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => join('src', name))
    .sort()
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.declarations.json']
  const hash = createHash('sha256').update(version)
  for (const file of [...pages, ...settings, 'scripts/build.mjs'])
    hash.update(`\0${file}\0`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

function stamp() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return null
  }
}
