/** People who start runs of every flow, answer what the runs ask, and now and then cancel one. */
import type { QuestionCard } from '../../src/engine/index.ts'
import type { Action } from '../../src/host/operations.ts'
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
    ...[...new Set(asked.flatMap(({ run }) => run ?? []))].map((run) => answerAll(around, run)),
    ...(runs > 0 && chance.happens(0.01) ? [cancel(around, chance.pick(open)?.run)] : []),
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
  else witness.complaints.push(`a run was not started: ${started.problems.join(' ')}`)
}

async function cancel({ operations, witness }: Around, run: string | undefined): Promise<void> {
  if (run === undefined) return
  witness.cancelled.add(run)
  await operations.act(run, { kind: 'cancel', reason: 'no longer wanted' })
}

async function answerAll(around: Around, run: string): Promise<void> {
  const { operations, chance, witness, runs } = around
  const detail = await operations.show(run)
  if ('problem' in detail) return
  for (const card of detail.questions) {
    // People take their time; a kill should meet open questions too.
    if (chance.happens(0.6)) continue
    const { pick, ...given } = choose(card, chance, runs === 0)
    const action: Action = { kind: 'answer', question: card.id, note: '', ...given }
    const done = await ask(around, operations.act(run, action))
    if ('done' in done) witness.answered.set(`${run} ${card.id}`, pick)
    else if (!GONE.has(done.code) && !(done.code === 'ended' && witness.cancelled.has(run)))
      witness.complaints.push(`${run} ${card.id}: ${done.code}: ${done.problem}`)
  }
}

/** Answered by the request that got no reply, or closed meanwhile. */
const GONE = new Set(['already-answered', 'unknown-question'])

type Chosen = Pick<Extract<Action, { kind: 'answer' }>, 'extra' | 'given'> & { readonly pick: string }

function choose(
  { cause, contract, choices, extras, decision }: QuestionCard,
  chance: Chance,
  /** The shortest way out. */
  homeward: boolean,
): Chosen {
  if (cause === 'agent') {
    const { key } = chance.pick(decision?.options ?? [])
    return { extra: null, given: { kind: 'value', value: key }, pick: key }
  }
  if (cause === 'fault') {
    const extra = extras.includes('@retry') ? '@retry' : '@stop'
    return { extra, given: { kind: 'nothing' }, pick: extra }
  }
  const short = homeward ? choices.find(({ option }) => option?.recommended) : undefined
  const { outcome } = short ?? chance.pick(choices)
  const [variable] = contract.variables
  const value = { [variable?.name ?? 'choice']: outcome, feedback: 'A word from a person.' }
  return { extra: null, given: { kind: 'value', value }, pick: outcome }
}
