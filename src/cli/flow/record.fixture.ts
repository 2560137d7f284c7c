/** A record of a run as the commands of a flow read it, written down in a few words. */
import type { Answer } from '../../model/answer.ts'
import type { RunEvent } from '../../model/event.ts'
import type { OwnRecord } from './own-record.ts'

export const answer = (outcome: string, more: Partial<Answer> = {}): Answer => ({
  outcome,
  choices: {},
  fields: {},
  notes: '',
  handoff: null,
  ...more,
})

export const entered = (step: string, visit = 1): RunEvent =>
  ({ type: 'visit.entered', at: 0, step, visit, kind: 'agent', members: 1, gathers: false }) as RunEvent

export const left = (
  step: string,
  outcome: string,
  more: Partial<Extract<RunEvent, { type: 'visit.left' }>> = {},
): RunEvent => ({
  type: 'visit.left',
  at: 0,
  step,
  visit: 1,
  outcome,
  answer: answer(outcome),
  detail: '',
  by: { kind: 'signalbox' },
  arm: 0,
  to: '',
  settled: false,
  tells: null,
  findings: null,
  paid: { counted: null, spent: null, pass: null },
  ...more,
})

const evidence = (output: string) => ({ exitCode: 0, output, commit: null, diffstat: '' })
export const gatePassed = (output: string): RunEvent => ({
  type: 'gate.passed',
  at: 0,
  member: 0,
  evidence: evidence(output),
})
export const checked = (output: string): RunEvent => ({
  type: 'check.reported',
  at: 0,
  evidence: evidence(output),
})

export const recordOf = (events: readonly RunEvent[], budgets: Record<string, number> = {}): OwnRecord => ({
  run: 'r1',
  placement: {
    repo: '/repo',
    gitDir: '/repo/.git',
    base: 'main',
    baseCommit: '0'.repeat(40),
    branch: 'signalbox/x-r1',
    worktree: '/w',
  },
  budgets,
  events,
})
