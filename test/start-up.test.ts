/** What is loaded before anything is done: whatever it is, every command waits for it, and a hook of an agent does so each time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { openScratch, run } from './command.fixture.ts'

interface Loaded {
  readonly packages: readonly string[]
  readonly pages: readonly string[]
}

/** Every package and page that an entry loads by itself; what is imported on demand is not among them. */
async function loadedBy(entry: string): Promise<Loaded> {
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
  const pages = [...seen].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}))
  return { packages: [...packages].filter((name) => !name.startsWith('node:')), pages }
}

describe('the command', () => {
  it('loads no engine, no runbooks, no host and no journal before it knows what is asked', async () => {
    const { packages, pages } = await loadedBy('src/cli/main.ts')
    expect(packages.toSorted()).toEqual(['commander', 'fastest-levenshtein'])
    // The project's config is read through the one reader.
    const reader = /^src\/host\/(?:inside\/read-inside|workspace\/(?:inside|file-error))\.ts$/
    const beyond = pages.filter(
      (page) => !/^src\/(?:cli|model|host\/machine)\//.test(page) && !reader.test(page),
    )
    expect(beyond).toEqual([])
  })

  it('loads little more where somebody else is the host', async () => {
    const { packages, pages } = await loadedBy('src/cli/hosting/reach-host.ts')
    expect(packages).toEqual([])
    expect(pages.filter((page) => page.startsWith('src/engine/'))).toEqual([])
  })

  it('compiles no runbooks and proves nothing where it becomes the host', async () => {
    const { pages } = await loadedBy('src/cli/hosting/become-host.ts')
    const beyond = pages.filter((page) =>
      /^src\/(?:rehearsal|http|runbook\/(?:proof|checks|hcl))\//.test(page),
    )
    expect(beyond).toEqual([])
    expect(pages).not.toContain('src/runbook/compile.ts')
  })

  it('has the parser of its config in itself: as a package it is seventy files', () => {
    const built = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    )
    const asking = built.filter((file) =>
      /\b(?:from|import) ?["']yaml["']/.test(readFileSync(join('dist', file), 'utf8')),
    )
    expect(asking).toEqual([])
  })

  it('asks Node for nothing: under a flag, V8 refuses the compiled modules that Node brings with it', () => {
    expect(readFileSync('bin/signalbox', 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
  })

  const scratch = openScratch()
  afterAll(scratch.close)

  it('makes nothing that is slow to make and may not be needed: segmenters, collators, lists of addresses', async () => {
    const trap = scratch.write(
      'trap.cjs',
      `class Trap { constructor() { throw new Error('made') } }
Intl.Segmenter = Intl.Collator = require('node:net').BlockList = Trap
process.env.SIGNALBOX_HOME = process.env.SIGNALBOX_CONFIG = ${JSON.stringify(scratch.path('nothing'))}`,
    )
    for (const words of [['--help'], ['ps']])
      expect(await run(process.execPath, ['-r', trap, 'bin/signalbox', ...words])).toMatchObject({
        code: 0,
        err: '',
      })
  })
})

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
    expect((await loadedBy(entry)).packages).not.toContain('zod')
  })

  it('is loaded by the HTTP door', async () => {
    expect((await loadedBy('src/http/server.ts')).packages).toContain('zod')
  })
})
