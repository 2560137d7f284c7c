/** Puts lines together from whatever pieces a pipe cuts them into. One that never ends does not fill the memory. */

export interface LineSplitterOptions {
  /** Trimmed, and never empty. */
  readonly onLine: (line: string) => void
  readonly maxLength: number
  /** As soon as it is known, with what there is of it; whoever wants to hear the rest says how. */
  readonly onTooLong: (beginning: string) => Rest | null
}

/** Of a line that is too long. */
export interface Rest {
  readonly onPiece: (piece: string) => void
  readonly onEnd: () => void
}

export function createLineSplitter({
  onLine,
  maxLength,
  onTooLong,
}: LineSplitterOptions): (chunk: string) => void {
  // Joined once, when its end has come: added to piece by piece, a long line would be copied again and again.
  let pending: string[] = []
  let length = 0
  let isTooLong = false
  let rest: Rest | null = null
  const add = (piece: string): void => {
    if (isTooLong) rest?.onPiece(piece)
    if (piece === '' || isTooLong) return
    pending.push(piece)
    length += piece.length
    if (length <= maxLength) return
    const beginning = pending.join('')
    pending = []
    isTooLong = true
    rest = onTooLong(beginning)
  }
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      add(chunk.slice(from, end))
      rest?.onEnd()
      rest = null
      const line = pending.join('').trim()
      pending = []
      length = 0
      isTooLong = false
      from = end + 1
      if (line !== '') onLine(line)
    }
    add(chunk.slice(from))
  }
}
