/** The figures that are kept in the repository, each with the day and the Node it was read on. */
import type { Figure, Reading } from './figure.ts'

export interface KeptReading extends Pick<Reading, 'value' | 'speed' | 'says'> {
  /** The yardstick of `speed`: a figure may get another one. */
  readonly yardstick: Figure['yardstick']
  readonly date: string
  readonly node: string
}

export type Kept = ReadonlyMap<string, KeptReading>

const FORMAT = 1
const NOTHING: Kept = new Map()

/** What can be compared with: nothing where there is no text, or one of another format. */
export function parseKept(text: string | null): Kept {
  const parsed = text === null ? null : jsonOf(text)
  if (!isRecord(parsed) || parsed['format'] !== FORMAT || !isRecord(parsed['figures'])) return NOTHING
  return new Map(
    Object.entries(parsed['figures']).flatMap(([id, value]) => {
      const reading = readingOf(value)
      return reading === null ? [] : [[id, reading] as const]
    }),
  )
}

/** The text of the file: sorted, so that a diff shows only what changed. */
export function keptText(kept: Kept): string {
  const sorted = [...kept].sort(([a], [b]) => (a < b ? -1 : 1))
  const figures = Object.fromEntries(
    sorted.map(([id, reading]) => [
      id,
      { ...reading, value: rounded(reading.value), speed: rounded(reading.speed) },
    ]),
  )
  return `${JSON.stringify({ format: FORMAT, figures }, null, 2)}\n`
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(4))

function readingOf(value: unknown): KeptReading | null {
  if (!isRecord(value)) return null
  const { value: read, speed, yardstick, says, date, node } = value
  if (!isNumberOrNull(read) || !isNumberOrNull(speed)) return null
  if (!isYardstick(yardstick)) return null
  if (typeof says !== 'string' || typeof date !== 'string' || typeof node !== 'string') return null
  return { value: read, speed, yardstick, says, date, node }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isYardstick = (value: unknown): value is Figure['yardstick'] =>
  value === null || value === 'cpu' || value === 'commits' || value === 'starts'

const isNumberOrNull = (value: unknown): value is number | null => value === null || typeof value === 'number'
