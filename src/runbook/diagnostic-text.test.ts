import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../model/diagnostic.ts'
import { diagnosticText } from './diagnostic-text.ts'

const diagnostic: Diagnostic = {
  code: 'unknown-target',
  severity: 'error',
  file: 'flow.yaml',
  at: { line: 9, column: 13 },
  path: 'steps.develop.next',
  message: 'There is no step or end "reviw".',
}

describe('the text of a diagnostic', () => {
  it('[L2] is its place, its severity, its code and what is wrong', () => {
    expect(diagnosticText(diagnostic)).toBe(
      'flow.yaml:9:13 error[unknown-target] There is no step or end "reviw".',
    )
  })

  it('[L2] goes on with what would be right, and with the way that shows it', () => {
    const full = {
      ...diagnostic,
      severity: 'warning',
      help: 'Did you mean "review"?',
      trail: ['develop —done→ review', 'review —reject→ develop'],
    } as const
    expect(diagnosticText(full).split('\n')).toEqual([
      'flow.yaml:9:13 warning[unknown-target] There is no step or end "reviw".',
      '  Did you mean "review"?',
      '    develop —done→ review',
      '    review —reject→ develop',
    ])
  })

  it('names the path where the source has no lines', () => {
    const built = { ...diagnostic, file: 'flow.ts', at: { line: 0, column: 0 } }
    expect(diagnosticText(built)).toMatch(/^flow\.ts \(steps\.develop\.next\) error\[/)
    expect(diagnosticText({ ...built, path: '' })).toMatch(/^flow\.ts error\[/)
  })

  it('[L3] shows what would move the cursor, recolour or turn around the line', () => {
    const message = 'There is no step "a\nb\r\t\u001b[31m\u009b1m\u202ec\u2028".'
    expect(diagnosticText({ ...diagnostic, message })).toBe(
      'flow.yaml:9:13 error[unknown-target] There is no step "a\\nb\\r\\t\\u001b[31m\\u009b1m\\u202ec\\u2028".',
    )
  })
})
