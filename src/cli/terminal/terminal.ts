/** What a person sees in a terminal: colours only there, columns that line up, one progress line that goes away. */
import { styleText } from 'node:util'
import { markOf, unseenOr, visibleJson, visibleText } from '../../model/visible-text.ts'

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

/** Words of others on one line, with every unseen letter named. */
export const visible = (text: string): string => visibleText(text.replaceAll(/[\t\r\n]+/g, ' '))

/** What may reach a terminal, whoever wrote it: text that can be seen, and the colours that this program paints with. */
export const harmless = (text: string): string => {
  // What looks like JSON stays JSON: its escapes stand for the same text.
  const shown = /^[[{]/.test(text) ? visibleJson(text) : text
  return shown.replaceAll(UNSAFE, (found) =>
    found.startsWith(ESCAPE) && found.length > 1 ? found : found === '\r' ? '' : markOf(found),
  )
}

const ESCAPE = '\u001B'
/** No black, no white, no background, nothing hidden. A carriage return is half of a line end. */
const UNSAFE = unseenOr(String.raw`\u001B\[(?:[0-47]|2[2347]|3[1-69])m|\r(?=\n)`)
