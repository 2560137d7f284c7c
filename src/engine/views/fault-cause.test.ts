import { describe, expect, it } from 'vitest'
import { FAULT_MEANING, FAULTS } from '../../model/fault.ts'
import { given } from '../given.fixture.ts'
import { causeText } from './fault-cause.ts'
import { questionsOf } from './question.ts'

describe('[R16] the headline of a fault', () => {
  it('is its cause', () => {
    const run = given(
      'steps: { develop: { agent: dev, gate: { run: tape, max: 0, expect: none }, next: done } }',
    )
      .started()
      .answer('develop', {})
      .gate('develop', 127, 'sh: 1: tape: not found')
    const [card] = questionsOf(run.program, run.state, () => undefined)
    expect(card?.headline).toBe('develop: the gate failed: sh: 1: tape: not found')
  })

  it.each([
    [
      'failed',
      'It ended in the middle of its turn. sh ended with exit code 3: boom',
      'it ended in the middle of its turn. sh ended with exit code 3: boom',
    ],
    [
      'failed',
      'Exit code 7 means nothing here.\n\nok\nTypeError: x is not a function\n',
      'exit code 7 means nothing here: TypeError: x is not a function',
    ],
    ['stalled', 'No output and no tool call for 90 seconds.', 'no output and no tool call for 90 seconds'],
    [
      'invalid',
      'Your answer does not fit what was asked.\n\nWhat is wrong:\n- `verdict` is missing.\n',
      'its answer does not fit what was asked: `verdict` is missing.',
    ],
    [
      'out_of_bounds',
      'You changed files outside your boundary. Those changes were undone.\n\nUndone:\n- .github/ci.yml\n',
      'it changed files outside its boundary: .github/ci.yml',
    ],
    ['over_budget', '$2.10 of $2.00', "the run's limit is used up ($2.10 of $2.00)"],
  ] as const)('of %s says what happened', (fault, detail, told) => {
    expect(causeText({ fault, detail })).toBe(told)
  })

  it('is what it is called, where nobody said more', () => {
    for (const fault of FAULTS) expect(causeText({ fault, detail: '' })).toBe(FAULT_MEANING[fault])
  })
})
