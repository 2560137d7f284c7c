import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectArtifacts } from '../workspace/artifacts.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { archiveAnswerFile, readAnswerFile } from './answer-file.ts'

function place() {
  const within = temporaryFolder()
  mkdirSync(join(within, '.signalbox/run'), { recursive: true })
  const path = join(within, '.signalbox/run/answer.json')
  return { within, path, read: () => readAnswerFile(path, { maxBytes: 1000, within }) }
}

const makePipe = (path: string): Buffer => execFileSync('/usr/bin/env', ['mkfifo', path])

const malformed = (text: string) => ({ kind: 'malformed', text: expect.stringContaining(text) })

describe('an answer file', () => {
  it('that is not there is no answer', async () => {
    const { within, read } = place()
    expect(await read()).toEqual({ kind: 'nothing' })
    expect(await readAnswerFile(join(within, 'no/such/file'), { maxBytes: 10, within })).toEqual({
      kind: 'nothing',
    })
  })

  it.each([
    ['{"verdict": "approve"}', { verdict: 'approve' }],
    ['\ufeff{"a": 1}', { a: 1 }],
    ['null', null],
    ['"text"', 'text'],
  ])('%j has a value', async (text, value) => {
    const { path, read } = place()
    writeFileSync(path, text)
    expect(await read()).toEqual({ kind: 'value', value })
  })

  it.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['{"verdict": ', '{"verdict": '],
    ['approve', 'approve'],
    [Buffer.from([0xff, 0xfe, 0x41]), 'not UTF-8'],
    ['x'.repeat(1001), 'at most 1000'],
  ])('%j is malformed, never nothing', async (text, why) => {
    const { path, read } = place()
    writeFileSync(path, text)
    expect(await read()).toEqual(malformed(why))
  })

  it('[K6] that is nested too deep or made of too much is malformed, and says what it may be', async () => {
    const { path, read, within } = place()
    writeFileSync(path, `${'['.repeat(400)}${']'.repeat(400)}`)
    expect(await read()).toEqual(malformed('nested deeper than 200 levels'))
    writeFileSync(path, `[${'1,'.repeat(100_000)}1]`)
    expect(await readAnswerFile(path, { maxBytes: 1024 * 1024, within })).toEqual(
      malformed('made of more than 100000 values'),
    )
  })

  it('shows at most 2000 characters of what is no JSON', async () => {
    const { path, within } = place()
    writeFileSync(path, '😀'.repeat(3000))
    const given = await readAnswerFile(path, { maxBytes: 100_000, within })
    expect(given.kind === 'malformed' && Array.from(given.text).length).toBe(2000)
  })

  it('[D4] that is a link, a folder, a pipe or a socket is malformed, and nobody waits', async () => {
    const cases: readonly ((path: string) => unknown)[] = [
      (path) => symlinkSync('/etc/hostname', path),
      (path) => symlinkSync('/nowhere', path),
      (path) => mkdirSync(path),
      makePipe,
    ]
    for (const make of cases) {
      const { path, read } = place()
      make(path)
      expect(await read()).toEqual(malformed('was not read'))
    }
    const { path, read } = place()
    const server = createServer()
    await new Promise<void>((done) => server.listen(path, done))
    expect(await read()).toEqual(malformed('not a regular file'))
    await new Promise((done) => server.close(done))
  })

  it('behind a linked folder is not read', async () => {
    const { within } = place()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'decision.json'), '{}')
    symlinkSync(outside, join(within, '.vibe'))
    const path = join(within, '.vibe/decision.json')
    expect(await readAnswerFile(path, { maxBytes: 1000, within })).toEqual(malformed('a folder on the way'))
    expect(await archiveAnswerFile(path, { record: join(within, 'record'), within })).toBeNull()
    expect(existsSync(join(outside, 'decision.json'))).toBe(true)
  })

  it('[D3] goes to the record once; a later one does not replace it', async () => {
    const { path, within, read } = place()
    const record = join(within, 'record')
    expect(await archiveAnswerFile(path, { record, within })).toBeNull()
    for (const text of ['1', '2']) {
      writeFileSync(path, text)
      const kept = await archiveAnswerFile(path, { record, within })
      expect(readFileSync(kept ?? '', 'utf8')).toBe(text)
      expect(await read()).toEqual({ kind: 'nothing' })
    }
    expect(readdirSync(record)).toHaveLength(2)
  })

  it('is out of the way also when it is no file', async () => {
    const { path, within } = place()
    symlinkSync('/etc/hostname', path)
    expect(await archiveAnswerFile(path, { record: join(within, 'record'), within })).toBeNull()
    mkdirSync(path)
    expect(await archiveAnswerFile(path, { record: join(within, 'record'), within })).toBeNull()
    expect(existsSync(path)).toBe(false)
  })
})

describe('artifacts', () => {
  const LIMITS = { maxBytes: 1000, maxFiles: 10 }

  it('are the regular files of the run folder, in order', async () => {
    const { within } = place()
    const worktree = within
    const dir = join(within, '.signalbox/run')
    mkdirSync(join(dir, 'deep/er'), { recursive: true })
    writeFileSync(join(dir, '.gitignore'), '*\n')
    writeFileSync(join(dir, 'plan.md'), 'plan')
    writeFileSync(join(dir, 'deep/er/ü "x".md'), '')
    writeFileSync(join(dir, 'big'), 'x'.repeat(1001))
    symlinkSync('/etc/hostname', join(dir, 'link'))
    symlinkSync('/etc', join(dir, 'linked-folder'))
    makePipe(join(dir, 'pipe'))
    linkSync(join(dir, 'plan.md'), join(dir, 'z-hard'))
    const { kept, refused } = await collectArtifacts({ worktree, dir: '.signalbox/run', ...LIMITS })
    expect(kept.map(({ name }) => name)).toEqual(['deep/er/ü "x".md', 'plan.md', 'z-hard'])
    expect(Buffer.from(kept[1]?.bytes ?? []).toString()).toBe('plan')
    expect(refused).toEqual([
      { name: 'big', why: 'it has 1001 bytes; at most 1000 are taken' },
      { name: 'link', why: 'it is a link' },
      { name: 'linked-folder', why: 'it is a link' },
      { name: 'pipe', why: 'it is not a regular file' },
    ])
  })

  it('are none where there is no folder, or a link in its place', async () => {
    const { within } = place()
    symlinkSync('/etc', join(within, 'link'))
    for (const dir of ['none', 'link', 'link/ssl'])
      expect(await collectArtifacts({ worktree: within, dir, ...LIMITS })).toEqual({ kept: [], refused: [] })
  })

  it('are bounded in number and in sum', async () => {
    const { within } = place()
    const worktree = within
    const dir = join(within, '.signalbox/run')
    for (let n = 0; n < 15; n++) writeFileSync(join(dir, `f${String(n).padStart(2, '0')}`), 'x'.repeat(900))
    const { kept, refused } = await collectArtifacts({ worktree, dir: '.signalbox/run', ...LIMITS })
    expect(kept.length).toBe(8)
    expect(refused.length).toBe(7)
    expect(
      (await collectArtifacts({ worktree, dir: '.signalbox/run', maxBytes: 1000, maxFiles: 2 })).kept.map(
        ({ name }) => name,
      ),
    ).toEqual(['f00', 'f01'])
  })
})
