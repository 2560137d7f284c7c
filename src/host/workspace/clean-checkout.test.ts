import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CheckoutRequest, clearCheckouts, makeCleanCheckout } from './clean-checkout.ts'
import { BRANCH, confined, createRun, placeAt, temporaryFolder } from './repository.fixture.ts'

type Run = Awaited<ReturnType<typeof createRun>>

async function checkOut({ ground, repo }: Run, commit: string, over: Partial<CheckoutRequest> = {}) {
  const request = { ground, repo: repo.dir, branch: BRANCH, commit, prepared: null, artifacts: [], confined }
  const checkout = await makeCleanCheckout({ ...request, ...over })
  return { ...checkout, place: placeAt(checkout.files) }
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('[W14] a clean checkout', () => {
  it('holds the very commit, whatever lies in the worktree', async () => {
    const run = await createRun({ 'a.txt': 'a\n', '.gitignore': 'built\n' })
    run.work.write('a.txt', 'committed\n')
    const { commit } = await run.collected()
    run.work.write('a.txt', 'later\n')
    run.work.write('built', 'forged\n')
    run.work.write('new.txt', 'new\n')
    const { place, remove } = await checkOut(run, commit)
    expect(place.read('a.txt')).toBe('committed\n')
    expect([place.has('built'), place.has('new.txt')]).toEqual([false, false])
    expect(place.git('rev-parse', 'HEAD')).toBe(commit)
    expect(place.git('status', '--porcelain')).toBe('')
    expect(place.git('diff', '--name-only', run.base, 'HEAD')).toBe('a.txt')
    expect(place.git('rev-parse', 'main')).toBe(run.base)
    await remove()
    expect(existsSync(place.dir)).toBe(false)
  })

  it('has a repository of its own: nothing of the agent’s settings, hooks or replaced objects', async () => {
    const run = await createRun()
    run.work.write('a.txt', 'backdoor\n')
    const { commit } = await run.collected()
    run.work.git('replace', commit, run.base)
    run.work.git('config', 'diff.external', 'false')
    const { place } = await checkOut(run, commit)
    expect(place.git('diff', run.base, 'HEAD')).toContain('+backdoor')
    expect(place.git('replace', '--list')).toBe('')
  })

  it('has what setup made, and where both have a file, the commit’s', async () => {
    const run = await createRun({ 'a.txt': 'a\n', '.gitignore': 'deps\n' })
    const prepared = placeAt(temporaryFolder())
    prepared.write('deps/tool', 'tool\n')
    prepared.write('a.txt', 'made\n')
    const { place } = await checkOut(run, run.base, { prepared: prepared.dir })
    expect([place.read('deps/tool'), place.read('a.txt')]).toEqual(['tool\n', 'a\n'])
    expect(place.git('status', '--porcelain')).toBe('')
  })

  it('lets no link lead out of it that setup put in the place of a folder', async () => {
    const run = await createRun({ 'src/code.ts': 'code\n' })
    const outside = placeAt(temporaryFolder())
    outside.write('code.ts', 'kept\n')
    const prepared = temporaryFolder()
    symlinkSync(outside.dir, join(prepared, 'src'))
    const { place } = await checkOut(run, run.base, { prepared })
    expect([place.read('src/code.ts'), outside.read('code.ts')]).toEqual(['code\n', 'kept\n'])
  })

  it('has what agents left for others, in a folder that no commit can make', async () => {
    const run = await createRun()
    const outside = placeAt(temporaryFolder())
    mkdirSync(join(run.path, '.signalbox/run'), { recursive: true })
    symlinkSync(outside.dir, join(run.path, '.signalbox/run/plans'))
    run.work.git('add', '-f', '.signalbox/run/plans')
    run.work.git('commit', '-qm', 'a way out')
    const { commit } = await run.collected()
    const artifacts = [{ name: 'plans/one.md', bytes: bytes('plan') }]
    const { place } = await checkOut(run, commit, { artifacts })
    expect(place.read('.signalbox/run/plans/one.md')).toBe('plan')
    expect(outside.has('one.md')).toBe(false)
  })

  it('is written as the user’s own git would write it', async () => {
    const run = await createRun({ 'a.up': 'UPPER\n', '.gitattributes': '*.up filter=up\n' }, (place) => {
      place.git('config', 'filter.up.smudge', "tr 'A-Z' 'a-z'")
      place.git('config', 'filter.up.clean', "tr 'a-z' 'A-Z'")
    })
    const { place } = await checkOut(run, run.base)
    expect(place.read('a.up')).toBe('upper\n')
  })

  it('of a killed host is gone with the next', async () => {
    const run = await createRun()
    const { files } = await checkOut(run, run.base)
    writeFileSync(join(files, 'left'), '')
    await clearCheckouts(run.ground)
    expect(existsSync(files)).toBe(false)
  })
})
