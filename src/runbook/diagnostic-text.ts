/**
 * A diagnostic as a person reads it: one line of what and where, then what would be right, then a way that shows it.
 * Plain text; colours belong to whoever prints. Names from the runbook stand in it, so what could move a terminal's
 * cursor or turn the reading direction is shown as an escape, and each line stays one line.
 */
import type { Diagnostic } from '../model/diagnostic.ts'

export function diagnosticText(diagnostic: Diagnostic): string {
  const { severity, code, message, help, trail = [] } = diagnostic
  return [
    `${placeText(diagnostic)} ${severity}[${code}] ${message}`,
    ...(help === undefined ? [] : [`  ${help}`]),
    ...trail.map((line) => `    ${line}`),
  ]
    .map(visible)
    .join('\n')
}

/** `FILE:LINE:COLUMN`, or `FILE (path)` where the source has no text. */
function placeText({ file, at, path }: Diagnostic): string {
  if (at.line > 0) return `${file}:${at.line}:${at.column}`
  return path === '' ? file : `${file} (${path})`
}

const visible = (line: string): string =>
  line.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (char) => SHORT.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])
