// Bundles the command and the library entry into dist/. Dependencies stay outside the bundle.
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

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
