/** What the bench says of its figures: ratios that point one way, machines set aside, falls in plain words. */
import { describe, expect, it } from 'vitest'
import { readingsOf } from '../bench/apart.ts'
import { compare } from '../bench/compare.ts'
import { type Figure, idOf, type Reading } from '../bench/figure.ts'
import { type KeptReading, keptText, parseKept } from '../bench/kept.ts'
import { MEASUREMENTS } from '../bench/measurements/index.ts'
import { legend, rowText } from '../bench/table.ts'

const RATE: Figure = { id: 'walk', name: 'walk', unit: 'a second', better: 'higher', yardstick: 'cpu' }
const TIME: Figure = { id: 'check', name: 'check', unit: 'ms', better: 'lower', yardstick: 'cpu' }
const MEMORY: Figure = { id: 'size', name: 'size', unit: 'MB', better: 'lower', yardstick: null }

const read = (value: number | null, more: Partial<Reading> = {}): Reading => ({
  value,
  speed: 100,
  says: '',
  base: null,
  ...more,
})
const kept = (value: number | null, more: Partial<KeptReading> = {}): KeptReading => ({
  value,
  speed: 100,
  yardstick: 'cpu',
  says: '',
  date: '2026-01-01',
  node: 'v20.0.0',
  ...more,
})

describe('a reading beside the kept one', () => {
  it('is twice as good at twice the rate, and in half the time', () => {
    expect(compare(RATE, read(200), kept(100))).toMatchObject({ normalised: 2, raw: 2, fell: false })
    expect(compare(TIME, read(50), kept(100))).toMatchObject({ normalised: 2, raw: 2, fell: false })
  })

  it('is no worse for a slower machine, and no better for a faster one', () => {
    expect(compare(RATE, read(50, { speed: 50 }), kept(100))).toMatchObject({ normalised: 1, raw: 0.5 })
    expect(compare(TIME, read(200, { speed: 50 }), kept(100))).toMatchObject({ normalised: 1, raw: 0.5 })
    expect(compare(TIME, read(100, { speed: 200 }), kept(100))).toMatchObject({ normalised: 0.5, fell: true })
  })

  it('is taken as it is where the machine plays no part, or was not measured, or by another yardstick', () => {
    const still = kept(100, { yardstick: null, speed: null })
    expect(compare(MEMORY, read(100, { speed: null }), still).normalised).toBe(1)
    expect(compare(RATE, read(100, { speed: 50 }), kept(100, { yardstick: 'starts' })).normalised).toBe(1)
    expect(compare(RATE, read(100, { speed: null }), kept(100)).normalised).toBe(1)
    expect(compare(RATE, read(100), kept(100, { speed: null })).normalised).toBe(1)
    expect(compare(RATE, read(100), kept(100, { speed: 0 })).normalised).toBe(1)
  })

  it('fell when more than a quarter is gone, and says so in words', () => {
    expect(compare(RATE, read(75), kept(100))).toMatchObject({ fell: false, mark: '' })
    expect(compare(RATE, read(74), kept(100))).toMatchObject({ fell: true, mark: 'FELL, was 100 a second' })
    expect(compare(TIME, read(140), kept(100))).toMatchObject({ fell: true, mark: 'FELL, was 100 ms' })
  })

  it('is called better when it should be kept anew', () => {
    expect(compare(RATE, read(134), kept(100)).mark).toBe('better, was 100 a second')
    expect(compare(RATE, read(133), kept(100)).mark).toBe('')
  })

  it('fell when it no longer comes to an end, and is told of when it does again', () => {
    const late = { value: null, says: 'not within 10 s' }
    expect(compare(TIME, read(null, late), kept(9000, { says: 'exact' }))).toMatchObject({
      normalised: null,
      fell: true,
      mark: 'FELL, was 9,000 ms, exact',
    })
    expect(compare(TIME, read(9000), kept(null, late))).toMatchObject({
      normalised: null,
      fell: false,
      mark: 'was not within 10 s',
    })
    expect(compare(TIME, read(null, late), kept(null, late))).toMatchObject({ fell: false, mark: '' })
  })

  it('tells when what it speaks of has changed', () => {
    const mark = compare(RATE, read(100, { says: '9 states' }), kept(100, { says: '8 states' })).mark
    expect(mark).toBe('was 100 a second, 8 states')
  })

  it('has no ratio to nothing', () => {
    expect(compare(RATE, read(100), undefined)).toEqual({
      normalised: null,
      raw: null,
      fell: false,
      mark: 'new',
    })
    expect(compare(TIME, read(0), kept(100))).toMatchObject({ normalised: null, fell: false })
    expect(compare(TIME, read(100), kept(0))).toMatchObject({ normalised: null, fell: false })
  })
})

describe('the kept figures', () => {
  it('are read as they were written, sorted, with four digits', () => {
    const text = keptText(
      new Map([
        ['b', kept(1234.567)],
        ['a', kept(null, { speed: null, says: 'not within 10 s' })],
      ]),
    )
    expect([...parseKept(text)]).toEqual([
      ['a', kept(null, { speed: null, says: 'not within 10 s' })],
      ['b', kept(1235)],
    ])
    expect(keptText(parseKept(text))).toBe(text)
  })

  it('are none where there is no file, or one of another format', () => {
    const older = JSON.stringify({ format: 0, figures: { good: kept(1) } })
    for (const text of [null, '', '<<<<<<<', 'null', '[]', '{}', older, '{"format":1}'])
      expect(parseKept(text).size).toBe(0)
  })

  it('are the readable ones of a file where some are not', () => {
    const figures = {
      good: kept(1),
      bare: 1,
      old: { value: 1, date: '2026-01-01' },
      wrong: kept('1' as never),
      odd: kept(1, { yardstick: 'feet' as never }),
    }
    expect([...parseKept(JSON.stringify({ format: 1, figures })).keys()]).toEqual(['good'])
  })
})

describe('the table', () => {
  const row = (figure: Figure, now: Reading, was?: KeptReading) => ({
    figure,
    reading: now,
    comparison: compare(figure, now, was),
  })

  it('shows value, base, both ratios and what is to be known', () => {
    const now = read(50, { speed: 50, says: 'exact', base: { of: '25 steps', ratio: 7.089 } })
    expect(rowText(row(TIME, now, kept(100))).split(/\s{2,}/)).toEqual([
      '',
      'check',
      '50.0 ms',
      '7.09× of 25 steps',
      '4.00×',
      '2.00×',
      'exact; better, was 100 ms',
    ])
  })

  it('says in place of a value why there is none', () => {
    const measurement = {
      title: '',
      part: 'core',
      limitSeconds: 10,
      figures: [TIME],
      measure: async () => [],
    } as const
    const [late] = readingsOf(measurement, { kind: 'late' })
    expect(rowText(row(TIME, late!))).toContain('not within 10 s')
    const [failed] = readingsOf(measurement, { kind: 'failed', how: 'SIGABRT' })
    expect(rowText(row(TIME, failed!))).toContain('failed: SIGABRT')
  })

  it('names at its end what fell', () => {
    const fine = row(RATE, read(100), kept(100))
    expect(legend([fine])).toContain('Nothing fell by more than a quarter.')
    expect(legend([fine, row(TIME, read(200), kept(100))])).toContain('FELL by more than a quarter: check')
  })
})

it('no two figures have one id, and no two measurements', () => {
  const ids = MEASUREMENTS.flatMap(({ figures }) => figures.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(MEASUREMENTS.map(idOf)).size).toBe(MEASUREMENTS.length)
})
