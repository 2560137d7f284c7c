/** People who start runs of every flow, answer what the runs ask, and now and then cancel one. */
import type { ListedDecision, PersonAnswer } from '../../src/host/inbox/decisions.ts'
import type { DecisionRecord } from '../../src/model/decision-record.ts'
import type { Chance } from './chance.fixture.ts'
import { FLOWS, type Flow } from './project.fixture.ts'
import { type Around, ask } from './traffic.fixture.ts'

/** Moments to kill at. Some stand twice: they are rare, or the windows after them are narrow. */
export const MOMENTS = [
  'acknowledged',
  'acknowledged',
  'answer.given',
  'answer.refused',
  'asked',
  'asked',
  'attempt.began',
  'attempt.parked',
  'check.reported',
  'gate.failed',
  'gate.passed',
  'issues.changed',
  'question.answered',
  'question.opened',
  'question.opened',
  'run.started',
  'session.opened',
  'signal.held',
  'turn.ended',
  'turn.ended',
  'usage.recorded',
  'visit.entered',
  'work.committed',
]

export async function peopleOfRuns(around: Around): Promise<boolean> {
  const { operations, chance, runs } = around
  const open = await operations.runs({ all: false, limit: 1000 })
  if (open.length === 0 && runs === 0) return true
  const page = await operations.decisions.list({ status: 'pending', cursor: null, limit: 500 })
  const asked = 'problem' in page ? [] : page.rows
  await Promise.all([
    ...startMissing(around, open.length, FLOWS),
    ...asked.map((row) => answerOne(around, row)),
    ...(runs > 0 && chance.happens(0.004) ? [cancel(around, chance.pick(open)?.run)] : []),
  ])
  return false
}

export const startMissing = (around: Around, open: number, flows: readonly Flow[]): Promise<void>[] =>
  Array.from({ length: Math.max(0, around.runs - open) }, () => start(around, around.chance.pick(flows)))

async function start(around: Around, flow: Flow): Promise<void> {
  const { operations, project, witness } = around
  const order = { runbook: project.runbook(flow), dir: project.repo, base: null, issue: null, vars: {} }
  const started = await ask(around, operations.start(order))
  if ('run' in started) witness.started.add(started.run)
  else if (started.code !== 'cannot-write')
    witness.complaints.push(`a run was not started: ${started.problems.join(' ')}`)
}

async function cancel({ operations, witness }: Around, run: string | undefined): Promise<void> {
  if (run === undefined) return
  witness.cancelled.add(run)
  await operations.act(run, { kind: 'cancel', reason: 'no longer wanted' })
}

async function answerOne(around: Around, row: ListedDecision): Promise<void> {
  const { operations, chance, witness, runs } = around
  const { id, run, question, headline } = row
  // People take their time; a kill should meet open questions too, and reminders of them.
  const delays = runs > 0 && headline.includes('Once more?') ? 0.93 : 0.6
  if (run === null || chance.happens(delays)) return
  const record = await operations.decisions.show(id)
  if ('problem' in record || record.status !== 'open') return
  const answer = choose(record, chance, runs === 0)
  const done = await ask(around, operations.decisions.answer(id, answer))
  if ('answered' in done) witness.answered.set(`${run} ${question}`, answer.pick)
  else if (!GONE.has(done.code) && !(done.code === 'ended' && witness.cancelled.has(run)))
    witness.complaints.push(`${run} ${question}: ${done.code}: ${done.problem}`)
}

/** Answered by the request that got no reply, or closed meanwhile; or the disk is full, and nothing was done. */
const GONE = new Set(['already-answered', 'unknown-question', 'cannot-write'])

function choose(
  { cause, shown: { options, recommended, fields }, digest }: DecisionRecord,
  chance: Chance,
  /** The shortest way out. */
  homeward: boolean,
): PersonAnswer {
  const offered = cause === 'fault' ? options.filter(({ key }) => key.startsWith('@')) : options
  const first = cause === 'fault' ? offered.find(({ key }) => key === '@retry') : undefined
  const short = homeward && cause !== 'agent' ? offered.find(({ key }) => key === recommended) : undefined
  const { key: pick } = first ?? short ?? chance.pick(offered)
  const said = fields.some(({ name }) => name === 'feedback') ? { feedback: 'A word from a person.' } : {}
  return { pick, note: '', fields: said, edited: null, digest, together: false }
}
