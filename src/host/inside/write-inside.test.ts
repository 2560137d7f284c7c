import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { removeInside, writeInside } from './write-inside.ts'

function openGround() {
  const root = temporaryFolder()
  const outside = temporaryFolder()
  const write = (path: string, existing: 'kept' | 'replaced' = 'kept') =>
    writeInside({ root, names: path.split('/') }, { content: 'new', mode: 0o644, existing })
  return { root, outside, write, read: (path: string) => readFileSync(join(root, path), 'utf8') }
}

it('[W32] makes a file and the folders on its way, and keeps what is there unless it is replaced', async () => {
  const { root, write, read } = openGround()
  expect(await write('a/b/c.txt')).toBe('written')
  writeFileSync(join(root, 'a/b/c.txt'), 'mine')
  chmodSync(join(root, 'a/b/c.txt'), 0o600)
  expect(await write('a/b/c.txt')).toBe('there')
  expect(read('a/b/c.txt')).toBe('mine')
  expect(await write('a/b/c.txt', 'replaced')).toBe('written')
  expect(read('a/b/c.txt')).toBe('new')
  expect(statSync(join(root, 'a/b/c.txt')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt'])
})

it('[W32] goes through no link, and replaces one without following it', async () => {
  const { root, outside, write, read } = openGround()
  symlinkSync(outside, join(root, 'way'))
  writeFileSync(join(root, 'file'), '')
  expect(await write('way/x')).toEqual({ why: expect.stringContaining('way, which is a link or no folder') })
  expect(await write('way/deeper/x', 'replaced')).toEqual({ why: expect.stringContaining('is a link') })
  expect(await write('file/x')).toEqual({ why: expect.stringContaining('is a link or no folder') })
  writeFileSync(join(outside, 'theirs'), 'theirs')
  symlinkSync(join(outside, 'theirs'), join(root, 'link'))
  expect(await write('link')).toBe('there')
  expect(await write('link', 'replaced')).toBe('written')
  expect([read('link'), readFileSync(join(outside, 'theirs'), 'utf8')]).toEqual(['new', 'theirs'])
  expect(readdirSync(outside)).toEqual(['theirs'])
})

it('[W32] removes a file with the folders that are empty then, and nothing behind a link', async () => {
  const { root, outside } = openGround()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'a/b/c'), '')
  writeFileSync(join(root, 'a/kept'), '')
  await removeInside({ root, names: ['a', 'b', 'c'] })
  expect(readdirSync(join(root, 'a'))).toEqual(['kept'])
  writeFileSync(join(outside, 'theirs'), '')
  symlinkSync(outside, join(root, 'way'))
  await removeInside({ root, names: ['way', 'theirs'] })
  expect(readdirSync(outside)).toEqual(['theirs'])
})
