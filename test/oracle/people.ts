/** What a person could do about a question. */
import type { OpenQuestion } from '../../src/engine/state.ts'
import type { Actor, RawAnswer } from '../../src/model/answer.ts'
import type { RunCommand } from '../../src/model/command.ts'
import { stepOf } from '../../src/model/program.ts'
import type { Moment } from './agents.ts'
import { personsAnswersTo } from './answers.ts'
import type { Action } from './world.ts'

const PERSON: Actor = { kind: 'person', name: 'anna' }
const NOTHING: RawAnswer = { kind: 'nothing' }

export function answersToAgent({ id }: OpenQuestion, at: number): Action[] {
  return [
    answering('picks what an agent offers', { id, at, given: { kind: 'value', value: 'left' } }),
    answering('says something to an agent', { id, at, note: 'Neither.' }),
    answering('picks what no agent offers', { id, at, given: { kind: 'value', value: 'straight' } }),
    answering('tells an agent to retry', { id, at, extra: '@retry' }),
  ]
}

export function answersToFlow({ program, state, now: at }: Moment, { id, cause }: OpenQuestion): Action[] {
  const { contract, settleOn } = stepOf(program, state.current!.step)
  return [
    ...personsAnswersTo({ contract, settleOn }).map((given) =>
      answering(`person answers: ${cause}`, { id, at, given }),
    ),
    answering('person talks nonsense', { id, at, given: { kind: 'malformed', text: 'no JSON here' } }),
    answering('person retries', { id, at, extra: '@retry' }),
    answering('person stops', { id, at, extra: '@stop' }),
  ]
}

interface Said {
  readonly id: string
  readonly at: number
  readonly given?: RawAnswer
  readonly note?: string
  readonly extra?: '@retry' | '@stop'
}

function answering(what: string, { id, at, given = NOTHING, note = '', extra }: Said): Action {
  const command: RunCommand = {
    type: 'question.answer',
    at,
    question: id,
    by: PERSON,
    extra: extra ?? null,
    given,
    note,
  }
  return { what, at, commands: [command] }
}
