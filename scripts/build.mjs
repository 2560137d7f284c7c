// Bundles the command and the library entry into dist/. Dependencies stay outside the bundle.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: {
    'cli/main': 'src/cli/main.ts',
    'drivers/scripted-agent': 'src/drivers/scripted/agent.ts',
    'cli/load-typescript': 'src/cli/load-typescript.ts',
    index: 'src/index.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
})
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.declarations.json'], { stdio: 'inherit' })
