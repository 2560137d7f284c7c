/** What is loaded before anything is done: the schemas of the HTTP door are slow to load, and only it needs them. */
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

/** Every package that an entry loads by itself; what is imported on demand is not among them. */
async function packagesOf(entry: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    metafile: true,
    write: false,
  })
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path, kind, external = false } of metafile.outputs[file]?.imports ?? []) {
      if (kind !== 'import-statement') continue
      if (external) packages.add(path)
      else visit(path)
    }
  }
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) if (entryPoint === entry) visit(file)
  return packages
}

describe('zod', () => {
  it.each([
    'src/cli/main.ts',
    'src/cli/hosting/remote.ts',
    'src/cli/hosting/reach-host.ts',
    'src/cli/hosting/become-host.ts',
    'src/cli/commands/ps.ts',
    'src/cli/commands/up.ts',
    'src/host/host.ts',
    'src/index.ts',
  ])('is not loaded by %s', async (entry) => {
    expect([...(await packagesOf(entry))]).not.toContain('zod')
  })

  it('is loaded by the HTTP door', async () => {
    expect([...(await packagesOf('src/http/server.ts'))]).toContain('zod')
  })
})
