/**
 * What tests start: the command as it is built of the sources there are now, and the two programs of a sandbox, each as one file
 * that needs nothing beside it. Made once, before any of them.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled programs. */
    programs: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-programs-'))
  await build({
    entryPoints: {
      'scripted-agent': 'src/drivers/scripted/agent.ts',
      'mcp-bridge': 'src/drivers/mcp-bridge.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
  project.provide('programs', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
