/** Why a TypeScript runbook could not be run, out of what the program that ran it printed: the words, and the line. */
import type { Position } from '../../model/diagnostic.ts'

export interface TypescriptTrouble {
  readonly message: string
  readonly at: Position
  readonly help: string
}

export function troubleIn(
  printed: string,
  { path, source }: { readonly path: string; readonly source: string },
): TypescriptTrouble {
  const [words = '', ...frames] = printed.trim().split(/\n\s+at /)
  const message = words.split('\n').slice(0, 3).join(' ').slice(0, 500)
  const syntax = message.replace(/^Error: /, '').match(/^ParseError: (.*?)\s+\S*:(\d+):(\d+)$/)
  // The parser counts columns from 0.
  if (syntax !== null && message.includes(`${path}:`))
    return {
      message: `${syntax[1]}.`,
      at: { line: Number(syntax[2]), column: Number(syntax[3]) + 1 },
      help: 'Mend the TypeScript; your editor shows the same.',
    }
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(message)
  const line = missing === null ? lineIn(frames, path) : lineOf(missing[1]!, source)
  return {
    message: message.replace(/^Error: /, '').replace(/ Require stack:.*$/, '.'),
    at: { line, column: firstColumn(source, line) },
    help:
      missing === null
        ? 'It was thrown while the file was run; a runbook only says what there is.'
        : 'Name a file beside the runbook, or a package that is installed here.',
  }
}

/** Only lines survive the way to JavaScript; columns do not. */
function lineIn(frames: readonly string[], path: string): number {
  const frame = frames.find((one) => one.includes(`${path}:`))
  return Number(/:(\d+):\d+\)?$/m.exec(frame ?? '')?.[1] ?? 1)
}

const lineOf = (words: string, source: string): number =>
  Math.max(
    0,
    source.split('\n').findIndex((line) => line.includes(words)),
  ) + 1

const firstColumn = (source: string, line: number): number =>
  Math.max(0, (source.split('\n')[line - 1] ?? '').search(/\S/)) + 1
