/** A text as lines that keep their ends, so that what is not touched is written back byte for byte. */

export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Without its end, and on the first line without a byte order mark. */
export const bareLine = (line: string): string => line.replace(/^\ufeff/, '').replace(/\r?\n$/, '')

/** How the text ends its lines, by its first one. */
export const lineEndOf = (lines: readonly string[]): '\n' | '\r\n' =>
  lines[0]?.endsWith('\r\n') === true ? '\r\n' : '\n'

export const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** `count` lines from `at` on give way to others, which get the ends that the text has. */
export function spliced(
  lines: readonly string[],
  { at, count = 0, by }: { readonly at: number; readonly count?: number; readonly by: readonly string[] },
): string[] {
  const end = lineEndOf(lines)
  const before = lines.slice(0, at)
  const last = before.at(-1)
  if (last !== undefined && by.length > 0 && !last.endsWith('\n')) before[before.length - 1] = `${last}${end}`
  return [...before, ...by.map((line) => `${line}${end}`), ...lines.slice(at + count)]
}

/** One line says something else; its end stays, and so does a byte order mark. */
export function withLine(lines: readonly string[], at: number, text: string): string[] {
  const line = lines[at] ?? ''
  const mark = line.startsWith('\ufeff') ? '\ufeff' : ''
  const end = /\r?\n$/.exec(line)?.[0] ?? ''
  return [...lines.slice(0, at), `${mark}${text}${end}`, ...lines.slice(at + 1)]
}
