/** What is moved and swapped while somebody walks leads nowhere else, and costs nobody else anything. */
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { walkFiles } from './file-walk.ts'
import { temporaryFolder } from './repository.fixture.ts'

const DEPTH = 60
const BESIDE = 8

it('[J12] a folder that is swapped for a link is not followed', async () => {
  const dir = temporaryFolder()
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'users'), '')
  writeFileSync(join(dir, 'first'), '')
  mkdirSync(join(dir, 'swapped'))
  const met: string[] = []
  for await (const step of walkFiles(dir)) {
    met.push(step.kind === 'file' ? step.name() : step.kind)
    rmSync(join(dir, 'swapped'), { recursive: true })
    symlinkSync(outside, join(dir, 'swapped'))
  }
  expect(met).toEqual([join(dir, 'first')])
})

it('[J12] what was moved away is told, nothing is followed out, and what lies above is gone through', async () => {
  const dir = temporaryFolder()
  const outside = temporaryFolder()
  const levels = Array.from({ length: DEPTH }, (_, level) =>
    join(dir, ...Array<string>(level).fill('nested')),
  )
  const all = new Set<string>()
  for (const level of levels)
    for (let beside = 0; beside < BESIDE; beside++) {
      const folder = join(level, `beside-${beside}`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'file'), '')
      all.add(join(folder, 'file'))
      // Whoever came back through the moved folder would find these.
      mkdirSync(join(outside, `beside-${beside}`), { recursive: true })
      writeFileSync(join(outside, `beside-${beside}`, 'users'), '')
    }
  writeFileSync(join(levels.at(-1)!, 'bottom'), '')
  all.add(join(levels.at(-1)!, 'bottom'))
  const before = readdirSync('/proc/self/fd').length
  const met = new Set<string>()
  const moved: string[] = []
  for await (const step of walkFiles(dir)) {
    if (step.kind === 'moved') moved.push(step.name)
    if (step.kind !== 'file') continue
    met.add(step.name())
    if (step.name().endsWith('/bottom')) renameSync(levels[30]!, join(outside, 'moved'))
  }
  expect([...met].filter((name) => !all.has(name))).toEqual([])
  expect(moved.length).toBeGreaterThan(0)
  for (const name of moved) expect(levels.slice(16, 30)).toContain(name)
  const unmet = [...all].filter((name) => !met.has(name))
  expect(unmet.filter((name) => !moved.includes(join(name, '../..')))).toEqual([])
  expect(readdirSync('/proc/self/fd')).toHaveLength(before)
})
