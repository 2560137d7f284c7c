/** What a person sees in a terminal: colours only there, columns that line up, one progress line that goes away. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  readonly write: (text: string) => void
  readonly paint: (style: Style, text: string) => string
  /** A line that is replaced by the next one; nothing where nobody is looking. */
  readonly progress: (text: string) => void
  readonly clearProgress: () => void
}

export function createTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process
  const coloured =
    stdout.isTTY === true && environment['NO_COLOR'] === undefined && environment['TERM'] !== 'dumb'
  let shown = false
  return {
    write: (text) => {
      stdout.write(`${harmless(text)}\n`)
    },
    paint: (style, text) => (coloured ? styleText(style, text) : text),
    progress: (text) => {
      if (stderr.isTTY !== true) return
      shown = true
      stderr.write(`\r\u001B[2K${harmless(text)}`)
    },
    clearProgress: () => {
      if (shown) stderr.write('\r\u001B[2K')
      shown = false
    },
  }
}

/** Somebody who reads here and can be asked. */
export interface AtTerminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Null where nobody sits, or what is printed goes elsewhere. */
export function personHere(): AtTerminal | null {
  const { stdin: input, stdout: output } = process
  return input.isTTY === true && output.isTTY === true ? { input, output } : null
}

/** Where nobody looks, lines are as long as they are. */
export const PAPER = 10_000
const WIDEST = 100

export const textColumns = (): number =>
  process.stdout.isTTY === true ? Math.min(process.stdout.columns ?? 80, WIDEST) : PAPER

export interface Column {
  readonly head: string
  readonly right?: boolean
  readonly paint?: (cell: string) => string
}

/** Rows under heads, two spaces between columns; the last column is not padded. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  indent = '  ',
): string {
  const widths = columns.map(({ head }, index) =>
    Math.max(head.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: readonly string[], painted: boolean) =>
    (
      indent +
      columns
        .map(({ right, paint }, index) => {
          const cell = cells[index] ?? ''
          const isLast = index === columns.length - 1
          const pad = ' '.repeat(widths[index]! - cell.length)
          const text = painted && paint !== undefined ? paint(cell) : cell
          return right === true ? pad + text : isLast ? text : text + pad
        })
        .join('  ')
    ).trimEnd()
  return [
    line(
      columns.map(({ head }) => head),
      false,
    ),
    ...rows.map((row) => line(row, true)),
  ].join('\n')
}

export const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : many}`

/** A name that somebody else wrote: on one line, and without anything that could move the cursor. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')

/**
 * What may reach a terminal, whoever wrote it: letters, line ends, tabs, and the colours we paint with. Nothing that moves
 * the cursor, hides or reorders letters, sets a title or answers for the person.
 */
export const harmless = (text: string): string =>
  text.replaceAll(UNSAFE, (found) =>
    found.startsWith(ESCAPE) && found.length > 1 ? found : ` ${found.slice(1)}`,
  )

const ESCAPE = '\u001B'
/** With the code of a colour, where there is one: no black, no white, no background, nothing hidden. */
const UNSAFE = /[^\P{Cc}\n\t](?:\[(?:[0-47]|2[2347]|3[1-69])m)?|[\u202A-\u202E\u2066-\u2069]/gu
