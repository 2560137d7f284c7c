// Bundles the command and the library entry into dist/, and the web application into dist/web, each unless it is there already, made of the
// same sources. Dependencies stay outside the command's bundle, but for one, and are all in the web application's.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { argv, env, version } from 'node:process'

const isForced = argv.includes('--force')
/** In the command's bundle: seventy files of its own, which nearly every command would open. As modules, for what asks Node with `require` cannot be among ours. */
const INSIDE = { yaml: './node_modules/yaml/browser/dist/index.js' }
const PURE = ['model', 'runbook', 'engine', 'attention', 'rehearsal']

const command = {
  /** What it was made of. It stands in there: whoever clears dist/ away gets a new one. */
  stamp: 'dist/made-of',
  made: madeOf(
    pagesIn('src').filter((page) => !page.startsWith(join('src', 'web'))),
    ['tsconfig.json', 'tsconfig.declarations.json'],
  ),
  build: buildCommand,
}
const web = {
  stamp: 'dist/web-made-of',
  // It folds with the engine's own functions.
  made: madeOf([...pagesIn(join('src', 'web')), ...PURE.flatMap((area) => pagesIn(join('src', area)))], []),
  build: buildWeb,
}

// The second after the first: that one sets dist/ in place.
for (const part of [command, web]) {
  if (!isForced && stampOf(part) === part.made) continue
  await part.build()
  // Last: without it, what was cut short is made anew.
  writeFileSync(part.stamp, part.made)
}

async function buildCommand() {
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
    alias: INSIDE,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  })
  // Whoever gives it on gives on its licence.
  mkdirSync(join(NEXT, 'licences'))
  for (const name of Object.keys(INSIDE))
    copyFileSync(join('node_modules', name, 'LICENSE'), join(NEXT, 'licences', name))
  for (const kept of ['web', 'web-made-of'])
    if (existsSync(join('dist', kept))) renameSync(join('dist', kept), join(NEXT, kept))
  rmSync('dist', { recursive: true, force: true })
  renameSync(NEXT, 'dist')
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.declarations.json'], { stdio: 'inherit' })
}

async function buildWeb() {
  // Whoever asks for it, a test too, gets what is shipped.
  env['NODE_ENV'] = 'production'
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const NEXT = 'dist/web.next'
  rmSync(NEXT, { recursive: true, force: true })
  await build({
    configFile: false,
    root: 'src/web',
    plugins: [react()],
    logLevel: 'warn',
    build: {
      outDir: join('..', '..', NEXT),
      emptyOutDir: true,
      target: 'es2023',
      // Nothing inline: the page's own policy would refuse it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
  mkdirSync('dist', { recursive: true })
  rmSync('dist/web', { recursive: true, force: true })
  renameSync(NEXT, 'dist/web')
}

/** Every page that can be in the product. */
function pagesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|fixture)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** And whatever says how it is made. */
function madeOf(pages, settings) {
  const hash = createHash('sha256').update(version)
  for (const file of [...pages, ...settings, 'package.json', 'package-lock.json', 'scripts/build.mjs'])
    hash.update(`\0${file}\0`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

function stampOf({ stamp }) {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}
