/** A text of several lines: from the line after `<<X` to the line that holds only `X`. */

import type { ReadText } from './quoted.ts'
import { type Stretch, spanAt, type TextFault } from './span.ts'

const OPENING = /<<(-?)([\p{ID_Start}_][\p{ID_Continue}-]*)([^\n]*)(?:\n|$)/uy

/** Null where no heredoc opens at this offset. */
export function readHeredoc(source: string, start: number): ReadText | null {
  OPENING.lastIndex = start
  const opening = OPENING.exec(source)
  if (opening === null) return null
  const [line, dash, marker, rest] = opening as unknown as [string, string, string, string]

  const body = start + line.length
  const faults: TextFault[] = []
  if (rest.trim() !== '') {
    const blanks = rest.length - rest.trimStart().length
    faults.push(crowded(start + '<<'.length + dash.length + marker.length + blanks, marker))
  }
  const close = closingLine({ source, start: body, limit: source.length }, marker)
  if (close === null) faults.push(neverClosed(start, marker))
  const content = templateText({ source, start: body, limit: close?.start ?? source.length })
  const text = content.value.replaceAll('\r\n', '\n')
  return {
    value: dash === '' ? text : withoutIndentation(text),
    end: close?.end ?? source.length,
    faults: [...faults, ...content.faults],
  }
}

function closingLine(
  { source, start, limit }: Stretch,
  marker: string,
): { start: number; end: number } | null {
  for (let line = start; line < limit; ) {
    const newline = source.indexOf('\n', line)
    const end = newline === -1 ? limit : newline
    if (source.slice(line, end).trim() === marker) return { start: line, end }
    line = end + 1
  }
  return null
}

const PLAIN = /[^$%\n]+|\n/y

function templateText({ source, start, limit }: Stretch): { value: string; faults: TextFault[] } {
  const faults: TextFault[] = []
  let follows = true
  let value = ''
  let offset = start
  while (offset < limit) {
    PLAIN.lastIndex = offset
    const plain = PLAIN.exec(source)?.[0] ?? (follows ? undefined : source[offset])
    if (plain !== undefined) {
      value += plain
      offset += plain.length
      continue
    }
    const span = spanAt({ source, start: offset, limit })
    if (span.fault !== undefined) faults.push(span.fault)
    if (span.open === true) follows = false
    value += span.value
    offset = span.end
  }
  return { value, faults }
}

/** Blank lines neither count nor lose anything: so HashiCorp's parser has it. */
function withoutIndentation(text: string): string {
  const lines = text.split('\n')
  const indentations = lines.map((line) => line.search(/\S/)).filter((indentation) => indentation !== -1)
  const smallest = indentations.reduce((least, indentation) => Math.min(least, indentation), Infinity)
  return lines.map((line) => (/\S/.test(line) ? line.slice(smallest) : line)).join('\n')
}

const crowded = (offset: number, marker: string): TextFault => ({
  offset,
  message: `Nothing can follow <<${marker} on its line.`,
  help: 'The text begins on the next line.',
})

const neverClosed = (offset: number, marker: string): TextFault => ({
  offset,
  message: `This text is never closed: no line holds only ${marker}.`,
  help: `Write ${marker} on a line of its own after the text.`,
})
