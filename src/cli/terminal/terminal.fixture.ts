/** A terminal that remembers: what was printed, and what was complained of. */
import { onTestFinished } from 'vitest'
import type { Terminal } from './terminal.ts'

export interface Paper {
  readonly terminal: Terminal
  readonly out: () => string
  readonly err: () => string
}

export function openPaper(): Paper {
  const [out, err]: [string[], string[]] = [[], []]
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = ((text: string) => err.push(text) > 0) as typeof write
  onTestFinished(() => {
    process.stderr.write = write
  })
  return {
    terminal: {
      write: (text) => {
        out.push(`${text}\n`)
      },
      paint: (_style, text) => text,
      progress: () => {},
      clearProgress: () => {},
    },
    out: () => out.join(''),
    err: () => err.join(''),
  }
}
