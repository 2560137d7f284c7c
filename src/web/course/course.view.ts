/**
 * What a person can do with a run, as data: when it can be done, what must be said for it, what it will do, and what is sent. The dialog, the
 * keys and the palette read it.
 */
import type { RunState } from '../../engine/state.ts'
import type { WhoIsHere } from '../../model/api/entrance.ts'
import type { RunDetail } from '../../model/api/runs.ts'
import { isFault } from '../../model/fault.ts'
import type { Program } from '../../model/program.ts'
import type { Ask } from '../live/ask.ts'

export interface CourseField {
  readonly name: string
  readonly label: string
  readonly kind: 'number' | 'text' | 'words'
  /** Where only these can be chosen. */
  readonly choices?: readonly string[]
  readonly isNeeded?: true
}

export interface CourseAction {
  readonly id: string
  readonly label: string
  readonly key: string
  readonly isPossible: boolean
  readonly fields: readonly CourseField[]
  /** What will happen, in the future tense: it is read before it is done. */
  readonly will: (values: CourseValues) => string
  readonly verb: string
  readonly send: (values: CourseValues) => Promise<unknown>
  /** What is said when it is done. */
  readonly done: (answer: unknown) => string
}

export type CourseValues = Readonly<Record<string, string>>

export interface CourseOf {
  readonly detail: RunDetail
  readonly program: Program | null
  readonly state: RunState
  readonly me: Pick<WhoIsHere, 'isOwner' | 'may'>
}

const REASON: CourseField = { name: 'reason', label: 'Why (it is kept in the record)', kind: 'text' }

/** What a person may not do is not offered. */
export const courseActions = (of: CourseOf, ask: Ask): readonly CourseAction[] =>
  allActions(of, ask).map((action) => ({
    ...action,
    isPossible: action.isPossible && of.me.may.includes('steer'),
  }))

function allActions(of: CourseOf, ask: Ask): readonly CourseAction[] {
  const { detail, program, state } = of
  const { row } = detail
  const { run } = row
  const params = { run }
  const isOver = row.status === 'ended'
  const isTaken = row.status === 'taken'
  const steps = Object.keys(program?.steps ?? {})
  const act = (body: Parameters<typeof actOn>[2]) => actOn(ask, run, body)
  return [
    {
      ...{
        id: 'say',
        label: 'Say something to the agent',
        key: 'y',
        verb: 'Say it',
        isPossible: !isOver && !isTaken,
      },
      fields: [{ name: 'text', label: 'What to say', kind: 'words', isNeeded: true }],
      will: () =>
        state.current?.members.some(({ status }) => status === 'working') === true
          ? 'The agent at work is told this with its next turn.'
          : 'No agent is at work: the next one of this run is told this.',
      send: ({ text = '' }) => ask('POST /api/v1/runs/{run}/words', { params, body: { text } }),
      done: () => 'It is said.',
    },
    {
      ...{
        id: 'move',
        label: 'Move it to another step',
        key: 'm',
        verb: 'Move it',
        isPossible: !isOver && !isTaken,
      },
      fields: [{ name: 'to', label: 'Step', kind: 'text', choices: steps, isNeeded: true }, REASON],
      will: ({ to = '' }) =>
        `${leavingText(state)} It goes on at ${to === '' ? 'the step you choose' : to}. The certificate no longer speaks of this run.`,
      send: ({ to = '', reason = '' }) => act({ kind: 'move', to, reason }),
      done: () => 'It is moved.',
    },
    {
      ...{
        id: 'retry',
        label: 'Begin this step again',
        key: 'r',
        verb: 'Begin again',
        isPossible: !isOver && !isTaken,
      },
      fields: [REASON],
      will: () =>
        `${leavingText(state)} ${state.current?.step ?? 'The step'} begins again, and its agent is told why.`,
      send: ({ reason = '' }) => act({ kind: 'retry', reason }),
      done: () => 'It begins again.',
    },
    {
      ...{ id: 'extend', label: 'Extend a budget', key: '+', verb: 'Extend it', isPossible: !isOver },
      fields: [
        {
          name: 'budget',
          label: 'Budget',
          kind: 'text',
          choices: Object.keys(state.budgets),
          isNeeded: true,
        },
        { name: 'amount', label: 'By how much', kind: 'number', isNeeded: true },
        REASON,
      ],
      will: ({ budget = '', amount = '' }) =>
        `${budget === '' ? 'The budget' : budget} has ${state.budgets[budget] ?? 0} left and gets ${amount === '' ? 'more' : `${amount} more`}. The certificate no longer speaks of this run.`,
      send: ({ budget = '', amount = '', reason = '' }) =>
        act({ kind: 'extend', budget, amount: Number(amount), reason }),
      done: () => 'It is extended.',
    },
    {
      ...{
        id: 'update',
        label: 'Bring in what its base got since',
        key: 'b',
        verb: 'Bring it in',
        isPossible: !isOver && !isTaken && (detail.work?.behind ?? 0) > 0,
      },
      fields: [],
      will: () => {
        const { into = '', behind = 0 } = detail.work ?? {}
        const commits = `${behind} ${behind === 1 ? 'commit' : 'commits'} of ${into}`
        return state.current?.members.some(({ status }) => status === 'working') === true
          ? `${commits} will be merged into the run when the turn of the agent at work ends.`
          : `${commits} are merged into the run now.`
      },
      send: () => ask('POST /api/v1/runs/{run}/update', { params }),
      done: (answer) =>
        isAsked(answer) ? 'It is done when the agent’s turn ends.' : 'The run has what its base got.',
    },
    {
      ...{
        id: 'take',
        label: 'Take over by hand',
        key: 't',
        verb: 'Take over',
        isPossible: !isOver && !isTaken,
      },
      fields: [REASON],
      will: () =>
        `The agent is ended, clocks stand still, and the worktree is yours: ${detail.placement.worktree}`,
      send: ({ reason = '' }) => ask('POST /api/v1/runs/{run}/take', { params, body: { reason } }),
      done: () => `It is yours: ${detail.placement.worktree}`,
    },
    {
      ...{
        id: 'give-back',
        label: 'Give it back to the agent',
        key: 'u',
        verb: 'Give it back',
        isPossible: isTaken,
      },
      fields: [],
      will: () => 'The agent goes on, and is told what you changed.',
      send: () => ask('POST /api/v1/runs/{run}/resume', { params, body: { how: 'back' } }),
      done: () => 'The agent goes on.',
    },
    {
      ...{ id: 'hand-in', label: 'Hand in what you did', key: 'i', verb: 'Hand it in', isPossible: isTaken },
      fields: [
        {
          name: 'pick',
          label: 'Outcome, where the step asks for one',
          kind: 'text',
          choices: ['', ...outcomesOf(of)],
        },
        { name: 'note', label: 'Note', kind: 'words' },
      ],
      will: () => 'What you did is taken as the step’s work, once its gate has passed on it.',
      send: ({ pick = '', note = '' }) =>
        ask('POST /api/v1/runs/{run}/resume', {
          params,
          body: { how: 'answered', pick: pick === '' ? null : pick, note },
        }),
      done: (answer) => (isGoingOn(answer) ? 'Its gate runs.' : 'It is taken, and the run goes on.'),
    },
    {
      ...{
        id: 'land',
        label: 'Land its work',
        key: 'l',
        verb: 'Land it',
        isPossible: of.me.isOwner && isOver && !row.discarded,
      },
      fields: [{ name: 'how', label: 'How', kind: 'text', choices: ['merge', 'squash', 'cherry-pick'] }],
      will: ({ how = 'merge' }) =>
        `Its gates run on what ${detail.placement.base} would be; when they pass, ${detail.placement.base} gets the work by ${how || 'merge'}.`,
      send: ({ how = '' }) =>
        ask('POST /api/v1/runs/{run}/land', { params, body: how === '' ? {} : { how: how as 'merge' } }),
      done: (answer) =>
        isGoingOn(answer) ? 'Its gates run; the page tells when it is landed.' : 'It is landed.',
    },
    {
      ...{ id: 'cancel', label: 'Cancel', key: 'x', verb: 'Cancel the run', isPossible: !isOver },
      fields: [REASON],
      will: () => `${leavingText(state)} The run ends as abandoned. Its branch and its record stay.`,
      send: ({ reason = '' }) => act({ kind: 'cancel', reason }),
      done: () => 'It is cancelled.',
    },
    {
      ...{
        id: 'discard',
        label: 'Discard its work',
        key: 'D',
        verb: 'Discard it',
        isPossible: isOver && !row.discarded,
      },
      fields: [],
      will: () =>
        `Worktree and branch ${detail.placement.branch} go, also what nobody merged; the record stays.`,
      send: () => act({ kind: 'discard', unmerged: true }),
      done: () => 'It is discarded; its record is kept.',
    },
  ]
}

const actOn = (
  ask: Ask,
  run: string,
  body: Parameters<typeof ask<'POST /api/v1/runs/{run}/actions'>>[1]['body'],
) => ask('POST /api/v1/runs/{run}/actions', { params: { run }, body })

const isGoingOn = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'state' in answer && answer.state === 'going-on'

const isAsked = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'state' in answer && answer.state === 'asked'

function outcomesOf({ program, state }: CourseOf): readonly string[] {
  const step = state.current === null ? undefined : program?.steps[state.current.step]
  const outcomes = Object.keys(step?.routes ?? {})
  return outcomes.filter((name) => !name.startsWith('@') && !isFault(name))
}

/** What is lost by going elsewhere. */
function leavingText({ current }: RunState): string {
  if (current === null) return ''
  if (current.question !== null) return `The question of ${current.step} is withdrawn.`
  return current.members.some(({ status }) => status === 'working')
    ? `The agent at ${current.step} is ended; what it committed stays.`
    : `${current.step} is left.`
}
