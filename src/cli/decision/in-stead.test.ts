import { describe, expect, it } from 'vitest'
import { decide } from '../../engine/decide.ts'
import { given } from '../../engine/given.fixture.ts'
import { givenFor } from '../../engine/views/pick.ts'
import { openedIn } from '../../engine/views/shown.ts'
import type { Shown } from '../../model/decision-record.ts'
import { fieldsNeeded, fieldValues } from '../../model/field-values.ts'
import { stepOf } from '../../model/program.ts'

const PLAN = `
  handoffs:
    plan: { fields: { summary: { type: text, required: true }, parts: { type: list, required: true }, size: number } }
  steps:
    plan:
      agent: dev
      asks: verdict
      options: { ready: done, split: { to: done }, drop: abandoned }
      fields: { why: { type: text, required_for: [drop] }, risks: { type: findings, required_for: [split] }, sure: { type: boolean, required_for: [ready] } }
      gives: plan
`

type Run = ReturnType<ReturnType<typeof given>['started']>
const failed = (flow = PLAN): Run => given(flow).started().fault('plan', 'failed', 'It crashed.')

function shownIn(run: Run): Shown {
  const around = { stream: 'run/r', repo: '', world: () => undefined, askerAt: () => null }
  return openedIn(run.program, run.state, { question: run.question.id, around })!.shown
}

function answered(run: Run, pick: string, fields: Readonly<Record<string, unknown>>) {
  const { cause, proposal, id } = run.question
  const { contract } = stepOf(run.program, 'plan')
  const command = {
    type: 'question.answer',
    at: 1,
    question: id,
    by: { kind: 'person', name: 'alice' },
  } as const
  return decide(run.program, run.state, {
    ...command,
    note: '',
    ...givenFor({ cause, proposal, contract }, pick, fields),
  })
}

/** As somebody would type it. */
const TYPED = {
  text: 'words',
  list: 'one, two',
  findings: 'It leaks',
  boolean: 'yes',
  number: '3',
  choice: '',
  file: 'a',
}

describe('[R7] who answers in an agent’s stead', () => {
  it('is asked for the handoff field by field, each under its name', () => {
    const { fields } = shownIn(failed())
    expect(fields.map(({ name, requiredFor }) => [name, requiredFor])).toEqual([
      ['why', ['drop']],
      ['risks', ['split']],
      ['sure', ['ready']],
      ['handoff.summary', ['ready', 'split', 'drop']],
      ['handoff.parts', ['ready', 'split', 'drop']],
      ['handoff.size', []],
    ])
  })

  it('can take every option that is offered, with what it is asked for as anybody would type it', () => {
    const run = failed()
    const shown = shownIn(run)
    for (const { key } of shown.options) {
      const texts = Object.fromEntries(fieldsNeeded(shown, key).map(({ name, type }) => [name, TYPED[type]]))
      const decided = answered(run, key, fieldValues(shown.fields, texts))
      expect([key, decided]).toMatchObject([key, { events: expect.anything() }])
    }
  })

  it('may give the handoff whole', () => {
    const handoff = { summary: 'Two parts', parts: ['one', 'two'] }
    const decided = answered(failed(), 'ready', { sure: true, handoff })
    expect(decided).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({
          type: 'visit.left',
          answer: expect.objectContaining({
            handoff: expect.objectContaining({ quality: 'full', values: handoff }),
          }),
        }),
      ]),
    })
  })

  it('is told what was asked, what was given, and a correct example', () => {
    const decided = answered(failed(), 'ready', { sure: true, 'handoff.summary': 'Two parts' })
    const message = 'refusal' in decided ? decided.refusal.message : ''
    for (const part of [
      '`parts` is missing',
      'What was asked:',
      'What you gave:',
      '"summary":"Two parts"',
      'A correct answer:',
    ])
      expect(message).toContain(part)
  })

  it('need not give it where notes or a fallback do', () => {
    const lenient = failed(PLAN.replace('plan: { fields', 'plan: { partial: true, fields'))
    expect(shownIn(lenient).fields.filter(({ requiredFor }) => requiredFor.length === 3)).toEqual([])
  })
})
