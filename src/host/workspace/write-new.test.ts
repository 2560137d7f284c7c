import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallDisk, whyNoSmallDisk } from '../../journal/sqlite/small-disk.fixture.ts'
import { temporaryFolder } from './repository.fixture.ts'
import { writeNew } from './write-new.ts'

it('writes what was not there, and replaces and follows nothing', async () => {
  const dir = temporaryFolder()
  const [file, link, other] = ['new', 'link', 'other'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  await writeNew(file, 'text', 0o600)
  expect(readFileSync(file, 'utf8')).toBe('text')
  symlinkSync(other, link)
  for (const there of [file, link])
    await expect(writeNew(there, 'x', 0o600)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(existsSync(other)).toBe(false)
})

it.skipIf(whyNoSmallDisk !== null)(
  '[K9] leaves nothing of what there was no room for, and nothing open',
  async () => {
    const disk = openSmallDisk({ megabytes: 3 })
    const file = join(disk.dir, 'new')
    await expect(writeNew(file, Buffer.alloc(8 << 20), 0o600)).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(existsSync(file)).toBe(false)
    if (process.platform === 'linux') {
      const open = readdirSync('/proc/self/fd').map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`)
        } catch {
          return ''
        }
      })
      expect(open.filter((path) => path.startsWith(file))).toEqual([])
    }
    writeFileSync(file, 'there is room again')
  },
)
