/** A program as the product ships it, bundled once for all tests of a file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'

/** Call it where tests are declared; the file is there when they run. */
export const bundledAgent = (): string => bundled('./scripted/agent.ts', 'scripted-agent.mjs')

export const bundledBridge = (): string => bundled('./mcp-bridge.ts', 'mcp-bridge.mjs')

function bundled(source: string, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-program-'))
  const outfile = join(folder, name)
  const entry = fileURLToPath(new URL(source, import.meta.url))
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
