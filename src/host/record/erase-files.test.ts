import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asBoundUser, runsAsRoot } from '../workspace/bound-user.fixture.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { eraseInFiles } from './erase-files.ts'
import { spelledBytes } from './spellings.ts'

const SECRET = 'hunter2-hunter2'
const spellings = spelledBytes([SECRET])
const look = (...roots: string[]) => eraseInFiles(roots, { spellings, mode: 'look' })
const erase = (...roots: string[]) => eraseInFiles(roots, { spellings, mode: 'erase' })
const NOTHING = { files: [], remains: [] }

const modeOf = (path: string): number => statSync(path).mode & 0o7777
/** By somebody else's eyes. */
const holders = (dir: string): string[] =>
  execFileSync('sh', ['-c', 'grep -raF -- "$1" "$2" || true', 'sh', SECRET, dir], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

it('[J12] overwrites a text where it stands, also over the border of two pieces, and follows no link', async () => {
  const dir = temporaryFolder()
  const outside = join(temporaryFolder(), 'outside.txt')
  const shared = join(temporaryFolder(), 'shared.txt')
  mkdirSync(join(dir, 'deep/er'), { recursive: true })
  writeFileSync(outside, SECRET)
  writeFileSync(shared, SECRET)
  writeFileSync(join(dir, 'deep/er/log.jsonl'), `{"text":"a ${SECRET} b"}\n`)
  writeFileSync(join(dir, 'large'), `${'x'.repeat(4 * 1024 * 1024 - 5)}${SECRET}${'y'.repeat(100)}`)
  symlinkSync(outside, join(dir, 'link'))
  symlinkSync(join(outside, '..'), join(dir, 'folder'))
  linkSync(shared, join(dir, 'hard'))
  const seen = await look(dir)
  expect(seen.files.toSorted()).toEqual([join(dir, 'deep/er/log.jsonl'), join(dir, 'large')])
  expect(seen.remains).toEqual([
    `${join(dir, 'hard')} has it, and another name somewhere: it was left as it is.`,
  ])
  expect(readFileSync(join(dir, 'large'), 'latin1')).toContain(SECRET)
  expect(await erase(dir)).toEqual(seen)
  expect(readFileSync(join(dir, 'deep/er/log.jsonl'), 'utf8')).toBe('{"text":"a *************** b"}\n')
  expect(readFileSync(join(dir, 'large'), 'latin1')).not.toContain(SECRET)
  expect(readFileSync(outside, 'utf8')).toBe(SECRET)
  expect(readFileSync(shared, 'utf8')).toBe(SECRET)
  expect(await erase(join(dir, 'nothing'))).toEqual(NOTHING)
  expect((await erase(join(dir, 'link'))).remains).toEqual([
    expect.stringMatching(/link is a link, which was not/),
  ])
})

it('[J12] looks for a text that is longer than a piece', async () => {
  const dir = temporaryFolder()
  const text = 'long '.repeat(1024 * 1024)
  writeFileSync(join(dir, 'file'), `a ${text} b`)
  const found = await eraseInFiles([dir], { spellings: spelledBytes([text]), mode: 'erase' })
  expect(found.files).toEqual([join(dir, 'file')])
  expect(readFileSync(join(dir, 'file'), 'utf8')).not.toContain('long')
})

describe('[J12] rights', () => {
  it('keep nothing of ours from being erased, and are given back', async () => {
    const dir = temporaryFolder()
    await asBoundUser([dir], async () => {
      const modes = new Map<string, number>()
      const close = (name: string, mode: number) => modes.set(join(dir, name), mode)
      mkdirSync(join(dir, 'closed/in/closed'), { recursive: true })
      for (const name of ['listed', 'unlisted']) mkdirSync(join(dir, name))
      for (const [name, mode] of [
        ['key.pem', 0o400],
        ['cache', 0o444],
        ['none', 0],
        ['dropbox', 0o200],
        ['closed/file', 0],
        ['closed/in/closed/file', 0o400],
        ['listed/file', 0o600],
        ['unlisted/file', 0o600],
      ] as const) {
        writeFileSync(join(dir, name), `a ${SECRET} b`)
        close(name, mode)
      }
      close('listed', 0o400)
      close('unlisted', 0o300)
      close('closed/in/closed', 0)
      close('closed/in', 0o600)
      close('closed', 0)
      for (const [path, mode] of modes) chmodSync(path, mode)
      const closed = [...modes].toReversed()
      const expectGivenBack = () => {
        for (const [path, mode] of closed) {
          expect([path, modeOf(path)]).toEqual([path, mode])
          chmodSync(path, 0o700)
        }
        for (const [path, mode] of modes) chmodSync(path, mode)
      }
      const seen = await look(dir)
      expect(seen.remains).toEqual([])
      expect(seen.files).toHaveLength(8)
      expectGivenBack()
      const done = await erase(dir)
      expect(done.files.toSorted()).toEqual(seen.files.toSorted())
      expect(done.remains).toEqual([])
      expectGivenBack()
      expect(await look(dir)).toEqual(NOTHING)
      for (const [path] of closed) chmodSync(path, 0o700)
      expect(holders(dir)).toEqual([])
    })
  })

  it.skipIf(!runsAsRoot)(
    'of somebody else leave it where it is, by name, and stop nothing else',
    async () => {
      const dir = temporaryFolder()
      mkdirSync(join(dir, 'theirs'), { mode: 0o700 })
      writeFileSync(join(dir, 'theirs/file'), SECRET)
      writeFileSync(join(dir, 'seen'), SECRET)
      writeFileSync(join(dir, 'clean'), 'nothing')
      writeFileSync(join(dir, 'unseen'), SECRET, { mode: 0o600 })
      await asBoundUser([dir], async () => {
        writeFileSync(join(dir, 'ours'), SECRET)
        expect((await look(dir)).files.toSorted()).toEqual([join(dir, 'ours'), join(dir, 'seen')])
        const { files, remains } = await erase(dir)
        expect(files).toEqual([join(dir, 'ours')])
        expect(remains.toSorted()).toEqual([
          expect.stringMatching(/\/seen has it, and could not be overwritten \(E\w+\)\.$/),
          expect.stringMatching(/\/theirs could not be looked into \(E\w+\): it may have it\.$/),
          expect.stringMatching(/\/unseen could not be looked into \(E\w+\): it may have it\.$/),
        ])
      })
    },
  )

  it('of a file with another name are left alone', async () => {
    const dir = temporaryFolder()
    await asBoundUser([dir], async () => {
      mkdirSync(join(dir, 'in'))
      writeFileSync(join(dir, 'users'), SECRET)
      linkSync(join(dir, 'users'), join(dir, 'in/linked'))
      chmodSync(join(dir, 'users'), 0)
      expect(await erase(join(dir, 'in'))).toEqual({
        files: [],
        remains: [expect.stringMatching(/linked could not be looked into/)],
      })
      expect(modeOf(join(dir, 'users'))).toBe(0)
    })
  })
})

it('[J12] finds what has a name that is no text', async () => {
  const dir = temporaryFolder()
  const odd = Buffer.from([0xff, 0xfe])
  mkdirSync(Buffer.concat([Buffer.from(`${dir}/`), odd]))
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), odd, Buffer.from('/'), odd]), SECRET)
  expect((await erase(dir)).files).toHaveLength(1)
  expect(holders(dir)).toEqual([])
})

it('[J12] does not read what only claims to be large to its end, and says so', async () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'hollow'), SECRET)
  truncateSync(join(dir, 'hollow'), 2 ** 43)
  expect(await erase(dir)).toEqual({
    files: [],
    remains: [expect.stringMatching(/hollow claims to be far larger/)],
  })
})

const DEEP = 3000
const MAKES_DEEP = `
  const { chmodSync, mkdirSync, writeFileSync } = require('node:fs')
  for (let level = 0; level < ${DEEP}; level++) {
    if (level % 100 === 0) {
      mkdirSync('beside')
      writeFileSync('beside/file', '${SECRET}')
    }
    mkdirSync('nested')
    process.chdir('nested')
  }
  writeFileSync('file', '${SECRET}')
`

it('[J12] goes as deep as folders nest, with few of them open', async () => {
  const dir = temporaryFolder()
  execFileSync(process.execPath, ['-e', MAKES_DEEP], { cwd: dir })
  expect(holders(dir)).toHaveLength(DEEP / 100 + 1)
  const open = Math.max(...readdirSync('/proc/self/fd').map(Number))
  const limit = (most: string) => execFileSync('prlimit', ['--pid', `${process.pid}`, `--nofile=${most}:`])
  const usual = execFileSync('prlimit', ['--pid', `${process.pid}`, '--nofile', '-o', 'SOFT', '--noheadings'])
  onTestFinished(() => void limit(usual.toString().trim()))
  limit(`${open + 100}`)
  const { files, remains } = await erase(dir)
  expect(remains).toEqual([])
  expect(files).toHaveLength(DEEP / 100 + 1)
  expect(holders(dir)).toEqual([])
})
