import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { eraseInFiles } from './erase-files.ts'
import { spelledBytes } from './spellings.ts'

const SECRET = 'hunter2-hunter2'

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
  const spellings = spelledBytes([SECRET])
  const seen = await eraseInFiles([dir], { spellings, mode: 'look' })
  expect(seen.files.toSorted()).toEqual([join(dir, 'deep/er/log.jsonl'), join(dir, 'large')])
  expect(seen.shared).toEqual([join(dir, 'hard')])
  expect(readFileSync(join(dir, 'large'), 'latin1')).toContain(SECRET)
  expect(await eraseInFiles([dir], { spellings, mode: 'erase' })).toEqual(seen)
  expect(readFileSync(join(dir, 'deep/er/log.jsonl'), 'utf8')).toBe('{"text":"a *************** b"}\n')
  expect(readFileSync(join(dir, 'large'), 'latin1')).not.toContain(SECRET)
  expect(readFileSync(outside, 'utf8')).toBe(SECRET)
  expect(readFileSync(shared, 'utf8')).toBe(SECRET)
  expect(await eraseInFiles([join(dir, 'nothing'), join(dir, 'link')], { spellings, mode: 'erase' })).toEqual(
    { files: [], shared: [] },
  )
})
