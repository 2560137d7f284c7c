/** Collects the diagnostics of one file. */
import type { Diagnostic, Position, Severity } from '../model/diagnostic.ts'

export interface Finding {
  readonly code: string
  readonly severity?: Severity
  readonly at: Position
  readonly path: string
  readonly message: string
  readonly help?: string | undefined
  readonly trail?: readonly string[]
}

/** A file this broken is not helped by more. Counted apart, so that no flood of warnings hides an error. */
const MOST: Record<Severity, number> = { error: 200, warning: 100 }

export interface Report {
  readonly file: string
  readonly diagnostics: Diagnostic[]
  add(finding: Finding): void
}

export function createReport(file: string): Report {
  const diagnostics: Diagnostic[] = []
  const counted = { error: 0, warning: 0 }
  const seen = new Set<string>()
  return {
    file,
    diagnostics,
    add: ({ code, severity = 'error', at, path, message, help, trail }) => {
      // A text that several steps share is read once for each of them.
      const key = `${code} ${at.line}:${at.column} ${path} ${message}`
      if (seen.has(key) || ++counted[severity] > MOST[severity]) return
      seen.add(key)
      diagnostics.push({
        code,
        severity,
        file,
        at,
        path,
        message,
        ...(help === undefined ? {} : { help }),
        ...(trail === undefined ? {} : { trail }),
      })
    },
  }
}
