/** Where an offset of a text stands: line and column, counted from 1, columns in UTF-16 units as the YAML form counts. */
import type { Position } from '../model/diagnostic.ts'

export interface Lines {
  positionAt(offset: number): Position
  /** The offset of the newline that ends the line of this offset, or the text's length. */
  endOfLine(offset: number): number
}

export function createLines(source: string, first: number): Lines {
  const starts = [first]
  for (let at = source.indexOf('\n', first); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)

  const lineOf = (offset: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    positionAt: (offset) => {
      const line = lineOf(offset)
      return { line: line + 1, column: offset - starts[line]! + 1 }
    },
    endOfLine: (offset) => {
      const next = starts[lineOf(offset) + 1]
      return next === undefined ? source.length : next - 1
    },
  }
}
