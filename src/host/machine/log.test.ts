import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { createManualClock } from './clock.fixture.ts'
import { createLog, type LogLine, logFile } from './log.ts'

const said = { step: 'develop', visit: 1, who: 'dev' }

function openLog({
  dir = join(temporaryFolder(), 'logs'),
  maxBytes = 1024 * 1024 * 1024,
  maxWaitingBytes = 64 * 1024 * 1024,
} = {}) {
  const clock = createManualClock()
  const log = createLog({ dir, clock, maxBytes, maxWaitingBytes })
  const lines = (run: string): LogLine[] =>
    readFileSync(logFile(dir, run), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine)
  return { dir, clock, log, lines }
}

describe('the log', () => {
  it('gathers words that come in pieces, and keeps the order of everything else', async () => {
    const { clock, log, lines } = openLog()
    log.write('r', { ...said, kind: 'text', text: 'Hel' })
    log.write('r', { ...said, kind: 'text', text: 'lo.' })
    log.write('r', { ...said, kind: 'thought', text: 'Hm' })
    log.write('r', { ...said, kind: 'thought', text: 'm.' })
    log.write('r', { ...said, kind: 'tool', text: 'read a' })
    log.write('r', { ...said, who: 'other', kind: 'text', text: 'Me too.' })
    await log.flush()
    expect(lines('r').map(({ who, kind, text }) => `${who} ${kind} ${text}`)).toEqual([
      'dev text Hello.',
      'dev thought Hmm.',
      'dev tool read a',
      'other text Me too.',
    ])
    expect(clock.alarms()).toBe(0)
  })

  it('does not keep words back while more of them come', async () => {
    const { clock, log, lines } = openLog()
    for (let piece = 0; piece < 10; piece++) {
      log.write('r', { ...said, kind: 'text', text: `${piece} ` })
      clock.advance(100)
    }
    await log.flush()
    const texts = lines('r').map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(2)
    expect(texts.join('')).toBe('0 1 2 3 4 5 6 7 8 9 ')
  })

  it('keeps each run in its own file, with the time it was said', async () => {
    const { clock, log, lines } = openLog()
    clock.advance(1000)
    log.write('a', { ...said, kind: 'output', text: 'of a' })
    clock.advance(1000)
    log.write('b', { ...said, kind: 'text', text: 'of b' })
    clock.advance(1000)
    await log.flush()
    expect(lines('a')).toEqual([{ at: 1000, ...said, kind: 'output', text: 'of a' }])
    expect(lines('b')).toEqual([{ at: 2000, ...said, kind: 'text', text: 'of b' }])
  })

  it('cuts what is too long for a line', async () => {
    const { log, lines } = openLog()
    log.write('r', { ...said, kind: 'output', text: 'x'.repeat(1_000_000) })
    for (let piece = 0; piece < 50; piece++)
      log.write('r', { ...said, kind: 'text', text: 'y'.repeat(10_000) })
    await log.flush()
    for (const { text } of lines('r')) expect(text.length).toBeLessThanOrEqual(32_000)
    expect(
      lines('r')
        .slice(1)
        .map(({ text }) => text)
        .join(''),
    ).toHaveLength(500_000)
  })

  it('keeps all lines of much output, none of them cut, and no empty ones', async () => {
    const { log, lines } = openLog()
    const printed = Array.from({ length: 5000 }, (_, nth) => `line ${nth} of the output`)
    log.write('r', { ...said, kind: 'output', text: '\n \r\n' })
    log.write('r', { ...said, kind: 'output', text: `\n${printed.join('\r\n\n')}\n` })
    log.write('r', { ...said, kind: 'output', text: '' })
    log.write('r', { ...said, kind: 'output', text: '  indented' })
    await log.flush()
    const texts = lines('r').map(({ text }) => text)
    expect(texts.length).toBeLessThan(20)
    expect(texts.flatMap((text) => text.split('\n'))).toEqual([...printed, '  indented'])
  })

  it('[X10] ends at its largest size with a note, and says no more, also after a restart', async () => {
    const maxBytes = 100_000
    const first = openLog({ maxBytes })
    const flood = async ({ log }: typeof first): Promise<void> => {
      for (let nth = 0; nth < 100; nth++)
        log.write('r', { ...said, kind: 'output', text: `${nth} ${'x'.repeat(5000)}` })
      log.write('calm', { ...said, kind: 'output', text: 'another run has a log of its own' })
      await log.flush()
    }
    await flood(first)
    const texts = first.lines('r').map(({ text }) => text)
    expect(texts.at(-1)).toMatch(/nothing more is kept in it/)
    expect(texts.slice(0, -1).map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: texts.length - 1 }, (_, nth) => nth),
    )
    await flood(openLog({ dir: first.dir, maxBytes }))
    expect(statSync(logFile(first.dir, 'r')).size).toBeLessThan(maxBytes + 1000)
    expect(first.lines('calm')).toHaveLength(2)
  })

  it('[X10] writes a flood in a few pieces, and what comes faster than it can be written is left out and counted', async () => {
    const { log, lines } = openLog({ maxWaitingBytes: 100_000 })
    for (let nth = 0; nth < 100_000; nth++) log.write('r', { ...said, kind: 'tool', text: `call ${nth}` })
    await log.flush()
    const texts = lines('r').map(({ text }) => text)
    const [, leftOut] = /^\((\d+) lines are left out here/.exec(texts.at(-1)!) ?? []
    expect(texts.slice(0, -1)).toEqual(Array.from({ length: texts.length - 1 }, (_, nth) => `call ${nth}`))
    expect(Number(leftOut) + texts.length - 1).toBe(100_000)
    log.write('r', { ...said, kind: 'tool', text: 'later' })
    await log.flush()
    expect(lines('r').at(-1)).toMatchObject({ kind: 'tool', text: 'later' })
  })

  it('never fails, wherever it cannot write', async () => {
    const { dir, log } = openLog()
    writeFileSync(dir, 'a file where the folder should be')
    log.write('r', { ...said, kind: 'text', text: 'lost' })
    log.write('r', { ...said, kind: 'output', text: 'lost too' })
    await log.flush()
    expect(readFileSync(dir, 'utf8')).toBe('a file where the folder should be')
  })

  it('[K8] is in a folder that is its user’s alone', async () => {
    const { dir, log } = openLog()
    log.write('r', { ...said, kind: 'tool', text: 'read a' })
    await log.flush()
    expect(statSync(dir).mode & 0o077).toBe(0)
  })
})
