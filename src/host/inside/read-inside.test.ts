import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { entriesInside, kindInside, readInside } from './read-inside.ts'

function openGround() {
  const dir = temporaryFolder()
  const root = join(dir, 'root')
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'docs/plan.md'), 'the plan')
  const read = (path: string, limit = { maxBytes: 100 }) => {
    const found = readInside({ root, names: path.split('/') }, limit)
    return 'why' in found ? found.why : Buffer.from(found.bytes).toString()
  }
  return { dir, root, read }
}

it('[W30] reads a regular file, and says what else stands there', () => {
  const { dir, root, read } = openGround()
  expect(read('docs/plan.md')).toBe('the plan')
  symlinkSync(join(root, 'docs/plan.md'), join(root, 'link'))
  symlinkSync('docs', join(root, 'way'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  expect(read('docs')).toBe('is a folder, not a file')
  expect(read('gone/x')).toBe('does not exist')
  expect(read('docs/plan.md/x')).toBe('does not exist')
  expect(read('link')).toMatch(/^is a link/)
  expect(read('way/plan.md')).toMatch(/^lies behind a link \(way\)/)
  expect(read('pipe')).toBe('is not a regular file')
  // The way to the root is its user's.
  symlinkSync(root, join(dir, 'way'))
  const found = readInside({ root: join(dir, 'way'), names: ['docs', 'plan.md'] }, { maxBytes: 100 })
  expect(found).toMatchObject({ bytes: Buffer.from('the plan') })
})

it('[W30] reads at most as much as it is told, or as far as that goes', () => {
  const { root, read } = openGround()
  writeFileSync(join(root, 'exact'), 'x'.repeat(1024))
  writeFileSync(join(root, 'large'), 'x'.repeat(1025))
  expect(read('exact', { maxBytes: 1024 })).toHaveLength(1024)
  expect(read('large', { maxBytes: 1024 })).toBe('has 2 KiB; at most 1 KiB are read')
  const cut = readInside({ root, names: ['large'] }, { maxBytes: 1024, beyond: 'cut' })
  expect(cut).toMatchObject({ bytes: { length: 1024 } })
})

it('[W30] lists no folder behind a link, and tells a link by its name', () => {
  const { root } = openGround()
  symlinkSync('docs', join(root, 'way'))
  symlinkSync('gone', join(root, 'dangling'))
  const listed = (name: string) => entriesInside({ root, names: [name] }).map((entry) => entry.name)
  expect([listed('docs'), listed('way'), listed('gone')]).toEqual([['plan.md'], [], []])
  const kind = (path: string) => kindInside({ root, names: path.split('/') })
  expect(['docs', 'docs/plan.md', 'way', 'way/plan.md', 'dangling', 'gone'].map(kind)).toEqual([
    'folder',
    'file',
    'link',
    'behind a link',
    'link',
    null,
  ])
})

it.skipIf(process.getuid?.() === 0)('[W30] says where rights are missing', () => {
  const { root, read } = openGround()
  chmodSync(join(root, 'docs/plan.md'), 0)
  expect(read('docs/plan.md')).toBe('may not be read by you')
})
