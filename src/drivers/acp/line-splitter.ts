/** Puts lines together from whatever pieces a pipe cuts them into. One that never ends does not fill the memory. */

export interface LineSplitterOptions {
  /** Trimmed, and never empty. */
  readonly onLine: (line: string) => void
  readonly maxLength: number
  readonly onTooLong: () => void
}

export function createLineSplitter({
  onLine,
  maxLength,
  onTooLong,
}: LineSplitterOptions): (chunk: string) => void {
  // Joined once, when its end has come: added to piece by piece, a long line would be copied again and again.
  let pending: string[] = []
  let length = 0
  const add = (piece: string): void => {
    if (piece === '') return
    pending.push(piece)
    length += piece.length
  }
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      add(chunk.slice(from, end))
      const line = length > maxLength ? '' : pending.join('').trim()
      if (length > maxLength) onTooLong()
      pending = []
      length = 0
      from = end + 1
      if (line !== '') onLine(line)
    }
    add(chunk.slice(from))
    if (length <= maxLength) return
    pending = []
    onTooLong()
  }
}
