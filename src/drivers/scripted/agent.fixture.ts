/** The scripted agent as the product ships it, bundled once for all tests of a file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'

/** Call it where tests are declared; the file is there when they run. */
export function bundledAgent(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-agent-'))
  const outfile = join(folder, 'scripted-agent.mjs')
  const entry = fileURLToPath(new URL('./agent.ts', import.meta.url))
  beforeAll(async () => {
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return outfile
}
