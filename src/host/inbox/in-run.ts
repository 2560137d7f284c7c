/** What people do about a question of a run. The run's own rules judge it; here it is only put into their words. */
import { givenFor, questionsOf } from '../../engine/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { RunCommand } from '../../model/command.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Fact } from '../../model/fact.ts'
import { stepOf } from '../../model/program.ts'
import { RETRY } from '../../model/route.ts'
import { lookAround } from '../duty/gather-context.ts'
import type { LoadedRun } from '../loaded-run.ts'
import type { Tools } from '../tools.ts'
import type { Trouble } from '../trouble.ts'
import { worldOf } from '../world.ts'
import type { PersonAnswer } from './decisions.ts'

export interface InRun {
  readonly tools: Tools
  readonly record: DecisionRecord
  readonly run: string
  readonly by: Actor
}

type Done = { readonly done: true } | Trouble

export async function answerInRun(
  about: InRun,
  { answer, batch }: { readonly answer: PersonAnswer; readonly batch: string | null },
): Promise<Done> {
  const { tools, record, run, by } = about
  const loaded = await tools.runs.load(run)
  const card =
    loaded === null
      ? undefined
      : questionsOf(loaded.program, loaded.state, worldOf(loaded)).find(({ id }) => id === record.question)
  const at = tools.clock.now()
  const said = { type: 'question.answer', at, by, question: record.question, note: answer.note } as const
  // Not open any more: the run knows who was first.
  if (loaded === null || card === undefined)
    return execute(about, { ...said, extra: null, given: { kind: 'nothing' } })
  if (answer.edited !== null && record.cause !== 'agent')
    return {
      code: 'not-offered',
      problem: 'Only what an agent asks can be edited; give the fields of this question instead.',
    }
  // Looked at again for somebody else, since this person's view was held against it.
  if (answer.digest !== null && loaded.book.records[record.question]?.digest !== answer.digest)
    return changedText(record)
  const stale = await changedSince(about, loaded)
  if (stale !== null) return stale
  const { extra, given } = givenFor(card, answer.pick, answer.fields)
  const edited = answer.edited === null ? {} : { edited: answer.edited }
  return execute(about, { ...said, extra, given, ...edited, ...(batch === null ? {} : { batch }) })
}

/** What a person approves is what they have seen: when the worktree has changed, it is looked at again. */
export async function changedSince(
  { tools, record, run }: Pick<InRun, 'tools' | 'record' | 'run'>,
  loaded: LoadedRun,
): Promise<Trouble | null> {
  const { current } = loaded.state
  if (record.cause !== 'step' || loaded.seen === null || current === null) return null
  const step = stepOf(loaded.program, current.step)
  if (step.kind !== 'decide') return null
  const place = await tools.workplaces.ensure(loaded)
  if ('problem' in place || (await tools.workplaces.content(loaded)) === loaded.seen) return null
  const looking = { step: current.step, visit: current.number, signal: new AbortController().signal }
  const found = await lookAround(tools, loaded, looking)
  if (found === null) return null
  await tools.runs.execute(run, found)
  const [, { items }] = found
  const changed = Object.keys(items).filter((item) => items[item] !== current.context[item])
  if (changed.length === 0) return null
  return changedText(record, ` (${changed.join(', ')})`)
}

export const changedText = ({ id }: Pick<DecisionRecord, 'id'>, what = ''): Trouble => ({
  code: 'superseded',
  problem: `What you were shown has changed since${what}. Look at it again, then answer: signalbox decision show ${id}`,
})

export const undoInRun = async (about: InRun): Promise<Done> => {
  const loaded = await about.tools.runs.load(about.run)
  if (loaded?.discarded === true)
    return { code: 'too-late', problem: `Run ${about.run} was discarded: there is nothing to go back to.` }
  const { record, by, tools } = about
  return execute(about, { type: 'question.undo', at: tools.clock.now(), question: record.question, by })
}

/** No rule of the run depends on who has it on the desk, and when. */
export function noteInRun(about: InRun, fact: Fact): Promise<Done> {
  const { record, tools } = about
  if (record.status !== 'open')
    return Promise.resolve({ code: 'not-waiting', problem: `${record.id} is ${record.status}.` })
  return execute(about, { type: 'run.record', at: tools.clock.now(), facts: [fact] })
}

/** The agent that could not be given its answer is a fault of its step, and lies with people as one. */
export async function retryInRun(about: InRun): Promise<Done> {
  const { tools, record, run, by } = about
  const current = (await tools.runs.load(run))?.state.current
  // The fault of the visit that asked, and of no other.
  const isIts = record.question.startsWith(`${current?.step}#${current?.number}.`)
  const question = isIts ? current?.question : null
  if (record.status !== 'undeliverable' || question?.cause !== 'fault')
    return { code: 'not-waiting', problem: `${record.id} is ${record.status}; there is nothing to retry.` }
  const at = tools.clock.now()
  const given = { kind: 'nothing' } as const
  return execute(about, {
    type: 'question.answer',
    at,
    by,
    question: question.id,
    extra: RETRY,
    given,
    note: '',
  })
}

async function execute({ tools, run }: InRun, command: RunCommand): Promise<Done> {
  const told = await tools.runs.execute(run, [command])
  if ('refusal' in told) return { code: told.refusal.code, problem: told.refusal.message }
  return { done: true }
}
