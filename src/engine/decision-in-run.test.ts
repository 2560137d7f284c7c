import { describe, expect, it } from 'vitest'
import type { AnswerDecision, DecisionCommand } from '../model/decision-command.ts'
import type { Refusal } from '../model/refusal.ts'
import { ALICE, BOB, given, type Scene } from './given.fixture.ts'
import { decideInRun } from './index.ts'
import { recordsOf } from './records.fixture.ts'

const FLOW = `
steps:
  build: { agent: dev, questions: 3, options: { ready: sign, broken: abandoned } }
  sign: { decide: Ship?, options: { ship: done, drop: abandoned } }
`
const ASKED = 'build#1.0?1'

const decided = (run: Scene, command: DecisionCommand, discarded = false) => {
  const { program, state } = run
  return decideInRun({ program, state, records: recordsOf(run), discarded }, command)
}
const eventsOf = (run: Scene, command: DecisionCommand) => {
  const result = decided(run, command)
  if ('refusal' in result) throw new Error(result.refusal.message)
  return result.events
}
const refusalOf = (run: Scene, command: DecisionCommand, discarded = false): Refusal => {
  const result = decided(run, command, discarded)
  if ('refusal' in result) return result.refusal
  throw new Error(`${command.type} was accepted`)
}

const about = (question: string) => ({ at: 9, question, by: BOB })
const answer = (question: string, over: Partial<AnswerDecision> = {}): AnswerDecision => ({
  type: 'decision.answer',
  ...about(question),
  pick: '',
  note: '',
  fields: {},
  edited: null,
  digest: null,
  batch: null,
  ...over,
})

const asking = () => given(FLOW).started().ask('build')
const signing = () => given(FLOW).started().answer('build', { decision: 'ready' })
const stuck = () => {
  const run = asking().person({ pick: 'redis' }, { by: BOB })
  const failure = { type: 'decision.undelivered', at: 5, question: ASKED, attempt: 4, nextAt: null } as const
  run.record({ ...failure, detail: 'no program' })
  return run
}

describe('an answer to a decision of a run', () => {
  it('is put into the words of the step that asks', () => {
    const run = signing()
    const question = openIn(run)
    const events = eventsOf(run, answer(question, { pick: 'ship', note: 'Go', batch: 'b1' }))
    expect(events[0]).toMatchObject({ type: 'question.answered', pick: 'ship', note: 'Go', batch: 'b1' })
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', end: 'done' })
  })

  it('is the key of an option where an agent asks, and may change what it means', () => {
    const events = eventsOf(asking(), answer(ASKED, { pick: 'redis', edited: 'Redis, in memory only' }))
    expect(events).toMatchObject([
      { type: 'question.answered', pick: 'redis', edited: 'Redis, in memory only' },
    ])
  })

  it('[Q13] is held against what is shown at this moment', () => {
    const run = signing()
    const wrong = answer(openIn(run), { pick: 'ship', digest: 'of another' })
    expect(refusalOf(run, wrong)).toMatchObject({ code: 'superseded' })
    expect(refusalOf(run, answer(openIn(run), { pick: 'later' }))).toMatchObject({ code: 'not-offered' })
  })

  it('cannot change what an option of the flow means', () => {
    const run = signing()
    expect(refusalOf(run, answer(openIn(run), { pick: 'ship', edited: 'Ship half' }))).toMatchObject({
      code: 'not-offered',
      message: expect.stringContaining('Only what an agent asks can be edited'),
    })
  })

  it('[Q3] that comes second is told who was first, whatever it says', () => {
    const run = asking().person({ pick: 'redis' }, { by: ALICE })
    expect(refusalOf(run, answer(ASKED, { pick: 'nonsense', digest: 'old' }))).toMatchObject({
      code: 'already-answered',
      message: expect.stringContaining('already answered this with redis'),
    })
  })

  it('needs a question', () => {
    expect(refusalOf(asking(), answer('other#1?', { pick: 'redis' }))).toMatchObject({
      code: 'unknown-question',
    })
  })
})

describe('a decision of a run', () => {
  it('[Q18] is snoozed and assigned while it is open', () => {
    const run = asking()
    expect(eventsOf(run, { type: 'decision.snooze', ...about(ASKED), until: 70 })).toEqual([
      { type: 'decision.snoozed', ...about(ASKED), until: 70 },
    ])
    expect(eventsOf(run, { type: 'decision.assign', ...about(ASKED), to: '@ops' })).toEqual([
      { type: 'decision.assigned', ...about(ASKED), to: '@ops' },
    ])
    const over = asking().person({ pick: 'redis' })
    for (const command of [
      { type: 'decision.snooze', ...about(ASKED), until: 70 },
      { type: 'decision.assign', ...about(ASKED), to: null },
    ] as const)
      expect(refusalOf(over, command)).toMatchObject({ code: 'not-waiting' })
  })

  it('[Q11] is undone as the run allows, and never after its work was thrown away', () => {
    const run = asking().person({ pick: 'redis' })
    const undo = { type: 'decision.undo', ...about(ASKED) } as const
    expect(eventsOf(run, undo)).toMatchObject([{ type: 'question.undone', question: ASKED, by: BOB }])
    expect(refusalOf(run, undo, true)).toMatchObject({
      code: 'too-late',
      message: expect.stringContaining('was discarded'),
    })
    expect(refusalOf(asking(), undo)).toMatchObject({ code: 'unknown-question' })
  })

  it('[Q16] whose answer reached nobody is retried as the fault of the visit that asked', () => {
    const retry = { type: 'decision.retry', ...about(ASKED) } as const
    expect(refusalOf(asking(), retry)).toMatchObject({ code: 'not-waiting' })
    expect(refusalOf(stuck(), retry)).toMatchObject({ code: 'not-waiting' })
    const faulty = stuck().fault('build', 'failed')
    expect(eventsOf(faulty, retry)[0]).toMatchObject({ type: 'question.answered', pick: '@retry', by: BOB })
    const moved = stuck().fault('build', 'failed').move('build').fault('build', 'failed')
    expect(refusalOf(moved, retry)).toMatchObject({ code: 'not-waiting' })
  })

  it('is neither withdrawn nor acted on by anybody outside it', () => {
    const { by: _, ...outside } = about(ASKED)
    expect(refusalOf(asking(), { type: 'decision.withdraw', ...outside, note: '' })).toMatchObject({
      code: 'not-offered',
    })
    expect(refusalOf(asking(), { type: 'decision.act', ...outside, did: 'x' })).toMatchObject({
      code: 'people-only',
    })
  })

  it('[Q16] is delivered once it is answered', () => {
    const deliver = { type: 'decision.deliver', at: 9, question: ASKED, session: 's', via: 'prompt' } as const
    expect(refusalOf(asking(), deliver)).toMatchObject({ code: 'not-waiting' })
    expect(eventsOf(asking().person({ pick: 'redis' }), deliver)).toMatchObject([
      { type: 'decision.delivered', question: ASKED, via: 'prompt' },
    ])
  })
})

function openIn({ state }: Scene): string {
  return state.current!.question!.id
}
