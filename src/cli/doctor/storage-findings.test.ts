import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { homeAt } from '../../host/machine/home.ts'
import { createMemoryJournal } from '../../journal/index.ts'
import { openSmallDisk, whyNoSmallDisk } from '../../journal/sqlite/small-disk.fixture.ts'
import { filesWithoutJournal, fitFindings } from './fit-findings.ts'
import { storageFindings } from './storage-findings.ts'
import { usageFindings } from './usage-findings.ts'

const asked = it.skipIf(whyNoSmallDisk !== null)
const where = whyNoSmallDisk ?? 'on a real one'

function openHome() {
  const home = homeAt(mkdtempSync(join(tmpdir(), 'signalbox-home-')))
  onTestFinished(() => rmSync(home.dir, { recursive: true }))
  return home
}

const statesOf = (findings: readonly { readonly about: string; readonly state: string }[]) =>
  findings.map(({ about, state }) => `${about} ${state}`)

asked(`[K11] tells of a disk that is full, and of one that can only be read (${where})`, () => {
  const disk = openSmallDisk({ megabytes: 2 })
  const home = homeAt(disk.dir)
  expect(storageFindings(home).filter(({ about }) => about !== 'rights')).toEqual([
    {
      about: 'disk',
      state: 'note',
      text: expect.stringMatching(/^2\.0 MiB of 2\.0 MiB free where .* gives back/),
    },
    { about: 'home', state: 'good', text: `${disk.dir} can be written` },
  ])
  disk.fill()
  expect(storageFindings(home).filter(({ about }) => about !== 'rights')).toEqual([
    {
      about: 'disk',
      state: 'bad',
      text: expect.stringMatching(/^0 B of 2\.0 MiB free .*: its disk is full\./),
    },
    { about: 'home', state: 'bad', text: expect.stringMatching(/^nothing can be written there: ENOSPC/) },
  ])
  disk.empty()
  writeFileSync(home.database, '')
  disk.becomes('ro')
  expect(statesOf(storageFindings(home)).filter((line) => !line.startsWith('rights'))).toEqual([
    'disk bad',
    'home bad',
    'home bad',
  ])
})

it('[K11] tells which files of a home others can reach, if they can come in', () => {
  const home = openHome()
  writeFileSync(home.database, '', { mode: 0o600 })
  writeFileSync(home.secret, '')
  chmodSync(home.secret, 0o644)
  expect(statesOf(storageFindings(home))).not.toContain('rights note')
  chmodSync(home.dir, 0o755)
  expect(storageFindings(home).at(-1)).toMatchObject({
    about: 'rights',
    text: expect.stringMatching(/^others on this machine can reach people\.secret in /),
  })
})

it('[K11] tells of files of runs that the journal does not know, and of runs whose files are gone', async () => {
  const home = openHome()
  expect(filesWithoutJournal(home)).toEqual([])
  for (const name of ['shop-aaaaaaaa', 'my-shop-bbbbbbbb'])
    mkdirSync(join(home.worktrees, name), { recursive: true })
  mkdirSync(join(home.grounds, 'shop-aaaaaaaa'), { recursive: true })
  expect(filesWithoutJournal(home)).toMatchObject([
    { state: 'bad', text: expect.stringContaining('files of 2 runs') },
  ])
  const journal = createMemoryJournal()
  const row = (run: string) => ({
    model: 'run',
    key: run,
    facet: 'open',
    rank: 1,
    data: { run, status: 'working', totals: { dispatches: 1 } },
  })
  const rows = [row('aaaaaaaa'), row('cccccccc')]
  await journal.append({
    stream: 'run/x',
    expected: 0,
    events: [],
    tickets: [],
    retire: [],
    settle: null,
    rows,
  })
  expect(await fitFindings(home, journal)).toEqual([
    {
      about: 'worktrees',
      state: 'bad',
      text: 'files of one run lie beside a journal that does not know of them (bbbbbbbb). It was emptied or replaced: put its file back from a copy.',
    },
    { about: 'worktrees', state: 'note', text: expect.stringMatching(/^the files of cccccccc are gone/) },
  ])
})

it('[K11] tells what takes the room, and which runs take most of it', async () => {
  const home = openHome()
  for (const [name, size] of [
    ['shop-aaaaaaaa', 400_000],
    ['shop-bbbbbbbb', 40_000],
  ] as const) {
    mkdirSync(join(home.worktrees, name), { recursive: true })
    writeFileSync(join(home.worktrees, name, 'file'), Buffer.alloc(size, 1))
  }
  mkdirSync(home.logs)
  writeFileSync(join(home.logs, 'aaaaaaaa.jsonl'), Buffer.alloc(10_000, 1))
  writeFileSync(home.database, Buffer.alloc(8_192, 1))
  const [all, most] = await usageFindings(home, 2_048)
  expect(all!.text).toMatch(
    /^\d+ KiB: journal \(kept bytes 2\.0 KiB\) .*, worktrees and their repositories \d+ KiB, logs \d+ KiB$/,
  )
  expect(most!.text).toMatch(/^most of it by aaaaaaaa \d+ KiB, bbbbbbbb \d+ KiB$/)
})
