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

/** A file this broken is not helped by more. */
const MOST = 200

export interface Report {
  readonly file: string
  readonly diagnostics: Diagnostic[]
  add(finding: Finding): void
}

export function createReport(file: string): Report {
  const diagnostics: Diagnostic[] = []
  return {
    file,
    diagnostics,
    add: ({ code, severity = 'error', at, path, message, help, trail }) => {
      if (diagnostics.length >= MOST) return
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
