import { describe, expect, it } from 'vitest'
import type { Certificate, Worst } from '../../model/certificate.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { certificateText } from './certificate-text.ts'

const terminal = { paint: (_style: unknown, text: string) => text } as Terminal
const MANY = Number.MAX_SAFE_INTEGER
const FEW: Worst = { visits: 7, dispatches: 1, questions: 0, flowQuestions: 0, agentQuestions: 0 }

function worstCase(exact: boolean, worst: Partial<Worst>): string {
  const certificate: Certificate = {
    runbook: 'deep',
    digest: 'd',
    exact,
    worst: { ...FEW, ...worst },
    faultless: FEW,
    steps: [{ step: 'work', kind: 'agent', visits: MANY, dispatchesPerVisit: 1, questionsPerVisit: 0 }],
    budgets: {},
    ends: [],
    matrix: [],
    states: 1,
    longestPath: [],
    roles: [],
    changesIssues: [],
  }
  const text = certificateText(certificate, 'deep.yaml', terminal)
  expect(text).toMatch(/work +agent +too many/)
  return /worst case +(.*)/.exec(text)![1]!
}

describe('the text of a certificate', () => {
  it('[C14] says of a number beyond exact ones that it is too many to count', () => {
    expect(worstCase(true, { visits: MANY, dispatches: MANY - 1 })).toBe(
      'too many visits to count, 9,007,199,254,740,990 dispatches, 0 questions to people',
    )
    expect(worstCase(false, { questions: MANY })).toBe(
      'at most 7 visits, 1 dispatch, too many questions to people to count',
    )
  })
})
