/**
 * A diagnostic: the author's text is wrong or doubtful. A collected value, never thrown, so that one check of a
 * file reports everything at once. It says what is wrong, where, and what would be right.
 */

export interface Position {
  /** 1-based; 0 where the source has no text (a runbook built in TypeScript). */
  readonly line: number
  /** 1-based, in characters. */
  readonly column: number
}

export type DiagnosticSeverity = 'error' | 'warning'

export interface Diagnostic {
  readonly code: string
  readonly severity: DiagnosticSeverity
  readonly file: string
  readonly at: Position
  /** Where in the document: `steps.review.options.reject.to`. */
  readonly path: string
  /** What is wrong. */
  readonly message: string
  /** What would be right. */
  readonly help?: string
  /** A shortest path that shows it, one line a move. */
  readonly trail?: readonly string[]
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((d) => d.severity === 'error')

export const byPosition = (a: Diagnostic, b: Diagnostic): number =>
  (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
  a.at.line - b.at.line ||
  a.at.column - b.at.column ||
  (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
