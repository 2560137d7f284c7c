/** Collects the diagnostics of one file. */
import type { Diagnostic, DiagnosticSeverity, Position } from '../model/diagnostic.ts'
import { type Spelled, spelled, syntaxOf } from './spelling.ts'

export interface DiagnosticDraft {
  readonly code: string
  readonly severity?: DiagnosticSeverity
  /** Another file than the one that is read: a prompt it names. */
  readonly file?: string
  readonly at: Position
  readonly path: string
  readonly message: string
  readonly help?: string | undefined
  readonly trail?: readonly string[]
}

/** A file this broken is not helped by more. Counted apart, so that no flood of warnings hides an error. */
const MOST: Record<DiagnosticSeverity, number> = { error: 200, warning: 100 }

export interface Report {
  readonly file: string
  readonly diagnostics: Diagnostic[]
  add(finding: DiagnosticDraft): void
  /** What a cure looks like in the language of the file. */
  spell(pairs: Readonly<Record<string, Spelled>>): string
}

export function createReport(file: string): Report {
  const diagnostics: Diagnostic[] = []
  const counted = { error: 0, warning: 0 }
  const seen = new Set<string>()
  const syntax = syntaxOf(file)
  return {
    file,
    diagnostics,
    spell: (pairs) => spelled(pairs, syntax),
    add: ({ code, severity = 'error', file: other, at, path, message, help, trail }) => {
      // A text that several steps share is read once for each of them.
      const key = `${code} ${at.line}:${at.column} ${other ?? path} ${message}`
      if (seen.has(key) || ++counted[severity] > MOST[severity]) return
      seen.add(key)
      diagnostics.push({
        code,
        severity,
        file: other ?? file,
        at,
        path,
        message,
        ...(help === undefined ? {} : { help }),
        ...(trail === undefined ? {} : { trail }),
      })
    },
  }
}
