/**
 * What stands between this reader and the file's report: it remembers whether the text could be read at all, and
 * it stops after a bound, so that a hostile file costs neither memory nor a "did you mean" for every line of it.
 */
import type { Position } from '../../model/diagnostic.ts'
import type { DiagnosticDraft, Report } from '../report.ts'

const MOST = 100

interface SyntaxFault {
  readonly at: Position
  readonly message: string
  readonly help?: string | undefined
}

export interface Problems {
  add(finding: DiagnosticDraft): void
  syntax(fault: SyntaxFault): void
  /** True once the bound is reached: nothing more is collected, so nothing more need be looked for. */
  isFull(): boolean
  /** True where the text was read with gaps, so that its meaning must not be judged. */
  hasGaps(): boolean
}

export function createProblems(report: Report): Problems {
  let count = 0
  let warnings = 0
  let gaps = false

  const add = (finding: DiagnosticDraft): void => {
    if (finding.severity === 'warning') {
      warnings += 1
      if (warnings <= MOST) report.add(finding)
      return
    }
    if (count > MOST) return
    count += 1
    if (finding.code === 'hcl-syntax' || finding.code === 'too-deep' || count > MOST) gaps = true
    if (count <= MOST) report.add(finding)
    else report.add({ code: 'hcl-syntax', at: finding.at, path: '', message: TOO_MANY })
  }

  return {
    add,
    syntax: (fault) => add({ code: 'hcl-syntax', path: '', ...fault }),
    isFull: () => count > MOST,
    hasGaps: () => gaps,
  }
}

const TOO_MANY = `More than ${MOST} problems: the rest of the file was not looked at.`
