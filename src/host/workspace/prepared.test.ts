import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type PrepareRequest, prepare } from './prepared.ts'
import { confined, createRun, placeAt, temporaryFolder } from './repository.fixture.ts'

type Run = Awaited<ReturnType<typeof createRun>>

/** Runs of one home, with a real shell; counts how often setup was run. */
function workshop(command: string, needs: readonly string[] = []) {
  const shared = join(temporaryFolder(), 'shared')
  const given: string[][] = []
  const make = async (run: Run, commit: string, over: Partial<PrepareRequest> = {}) =>
    prepare({
      ground: run.ground,
      commit,
      baseCommit: run.base,
      command,
      needs,
      world: 'PATH=/bin',
      shared,
      confined,
      run: async ({ files }) => {
        given.push(readdirSync(files, { recursive: true }).map(String).toSorted())
        const result = { stdout: '', timedOut: false, aborted: false }
        try {
          const output = execFileSync('sh', ['-c', command], { cwd: files, encoding: 'utf8' })
          return { result: { ...result, output, exitCode: 0 }, at: run.ground.worktree }
        } catch {
          return { result: { ...result, output: 'oh', exitCode: 1 }, at: files }
        }
      },
      now: Date.now(),
      ...over,
    })
  const ready = async (run: Run, commit: string, over: Partial<PrepareRequest> = {}) => {
    const made = await make(run, commit, over)
    if (made.kind !== 'ready') throw new Error(made.kind)
    return placeAt(made.files)
  }
  return { make, ready, given, shared }
}

const FILES = { 'lock.txt': 'one\n', 'src/code.ts': 'code\n' }

async function committed(run: Run, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) run.work.write(name, text)
  return (await run.collected()).commit
}

describe('[W15] what setup makes', () => {
  it('is made of the files it needs and no others, and only what it made is kept', async () => {
    const run = await createRun(FILES)
    const { ready, given } = workshop('mkdir deps empty; cp lock.txt deps/; echo changed > lock.txt', [
      '*.txt',
    ])
    const made = await ready(run, run.base)
    expect(given).toEqual([['lock.txt']])
    expect(readdirSync(made.dir).toSorted()).toEqual(['deps', 'empty'])
    expect(made.read('deps/lock.txt')).toBe('one\n')
  })

  it('is made once for equal files, in whichever run and for whichever commit', async () => {
    const { ready, given } = workshop('cp lock.txt made', ['lock.txt'])
    const one = await createRun(FILES)
    const first = await ready(one, one.base)
    const later = await ready(one, await committed(one, { 'src/code.ts': 'other\n' }))
    const two = await createRun(FILES)
    const other = await ready(two, two.base)
    expect(given).toHaveLength(1)
    expect([later.dir, other.dir]).toEqual([first.dir, first.dir])
  })

  it('of an agent’s version of such a file serves its run alone', async () => {
    const { ready, given, shared } = workshop('cp lock.txt made', ['lock.txt'])
    const one = await createRun(FILES)
    const mine = await ready(one, await committed(one, { 'lock.txt': 'agent\n' }))
    expect(mine.read('made')).toBe('agent\n')
    expect(mine.dir).toContain(one.ground.dir)
    const two = await createRun(FILES)
    const theirs = await ready(two, await committed(two, { 'lock.txt': 'agent\n' }))
    expect(theirs.dir).toContain(two.ground.dir)
    expect(given).toHaveLength(2)
    await ready(one, one.base)
    expect(readdirSync(shared)).toHaveLength(1)
  })

  it('is made anew for another command, other programs, and, where it names no needs, any other file', async () => {
    const run = await createRun(FILES)
    const { ready, given } = workshop('cp lock.txt made')
    await ready(run, run.base)
    await ready(run, run.base, { command: 'true' })
    await ready(run, run.base, { world: 'PATH=/usr/bin' })
    await ready(run, await committed(run, { 'src/code.ts': 'other\n' }))
    await ready(run, run.base)
    expect(given).toHaveLength(4)
    expect(given[0]).toEqual(['lock.txt', 'src', 'src/code.ts'])
  })

  it('of files that an agent had written down in another way serves its run alone', async () => {
    const { ready } = workshop('cp lock.txt made', ['lock.txt'])
    const run = await createRun(FILES)
    const made = await ready(run, await committed(run, { '.gitattributes': '*.txt text eol=crlf\n' }))
    expect(made.read('made')).toBe('one\r\n')
    expect(made.dir).toContain(run.ground.dir)
    expect((await ready(run, run.base)).read('made')).toBe('one\n')
  })

  it('is made anew where the user has files written down in another way', async () => {
    const { ready } = workshop('cp lock.txt made', ['lock.txt'])
    const one = await createRun(FILES)
    await ready(one, one.base)
    const two = await createRun(FILES, (repo) => repo.git('config', 'core.autocrlf', 'true'))
    expect((await ready(two, two.base)).read('made')).toBe('one\r\n')
  })

  it('may be made for two repositories at the same time', async () => {
    const { ready, given, shared } = workshop('cp lock.txt made')
    const runs = await Promise.all([createRun(FILES), createRun(FILES)])
    const [one, two] = await Promise.all(runs.map((run) => ready(run, run.base)))
    expect([one?.read('made'), two?.read('made')]).toEqual(['one\n', 'one\n'])
    expect(given).toHaveLength(2)
    expect(readdirSync(shared)).toHaveLength(1)
  })

  it('is not what a killed host left half made', async () => {
    const run = await createRun(FILES)
    const { ready, shared } = workshop('cp lock.txt made')
    mkdirSync(join(shared, 'making-by-another/files'), { recursive: true })
    const made = await ready(run, run.base)
    expect(readdirSync(shared)).toEqual([basename(dirname(made.dir))])
  })

  it('that failed is not kept', async () => {
    const run = await createRun(FILES)
    const { make, given } = workshop('touch half; exit 1')
    expect(await make(run, run.base)).toMatchObject({ kind: 'failed', result: { exitCode: 1, output: 'oh' } })
    expect(await make(run, run.base)).toMatchObject({ kind: 'failed' })
    expect(given).toHaveLength(2)
  })

  it('serves one place only where it names that place', async () => {
    const one = await createRun(FILES)
    const { ready, given } = workshop(`echo '#!${one.ground.worktree}/bin/python' > script`)
    await ready(one, one.base)
    await ready(one, one.base)
    expect(given).toHaveLength(1)
    const two = await createRun(FILES)
    await ready(two, two.base)
    expect(given).toHaveLength(2)
  })

  it('serves one place only where it leads there', async () => {
    const one = await createRun(FILES)
    const { ready, given } = workshop(`ln -s '${one.ground.worktree}/src' linked`)
    await ready(one, one.base)
    await ready(one, one.base)
    const two = await createRun(FILES)
    await ready(two, two.base)
    expect(given).toHaveLength(2)
  })

  it('is made in place where it names a folder that will be gone', async () => {
    const run = await createRun(FILES)
    const { make, given } = workshop('pwd > where')
    const seen = {
      run: async ({ files }: { files: string }) => {
        given.push([])
        execFileSync('sh', ['-c', 'pwd -P > where'], { cwd: files })
        return { result: { output: '', stdout: '', exitCode: 0, timedOut: false, aborted: false }, at: files }
      },
    }
    expect(await make(run, run.base, seen)).toEqual({ kind: 'in place' })
    expect(await make(run, run.base, seen)).toEqual({ kind: 'in place' })
    expect(given).toHaveLength(1)
  })

  it('is forgotten when it was of no use for long', async () => {
    const run = await createRun(FILES)
    const { ready, shared } = workshop('cp lock.txt made')
    await ready(run, run.base)
    await ready(run, run.base, { command: 'true', now: Date.now() + 31 * 24 * 60 * 60_000 })
    expect(readdirSync(shared)).toHaveLength(1)
  })

  it('has no repository and no run’s folder: a checkout has its own', async () => {
    const run = await createRun(FILES)
    const { ready } = workshop(
      'git init -q . && mkdir -p .signalbox .vibe && ln -s / .signalbox/run && touch made',
    )
    const made = await ready(run, run.base)
    expect(readdirSync(made.dir)).toEqual(['made'])
  })

  it('may be anything, links that lead out of it too: nothing there is touched', async () => {
    const run = await createRun(FILES)
    const outside = placeAt(temporaryFolder())
    outside.write('code.ts', 'kept\n')
    const { ready } = workshop(`rm -r src && ln -s ${outside.dir} src`)
    const made = await ready(run, run.base)
    expect(made.has('src')).toBe(true)
    expect(outside.read('code.ts')).toBe('kept\n')
  })
})
