/** People who answer decisions over every door, change their minds, and put some of their own from outside any run. */
import type { ListedDecision } from '../../src/host/inbox/decisions.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import type { Chance } from './chance.fixture.ts'
import { POLICYS_HEADLINE, resumeArgv } from './decision-scripts.fixture.ts'
import { DOORS, type Said } from './doors.fixture.ts'
import { startMissing } from './people.fixture.ts'
import { type Around, ask } from './traffic.fixture.ts'

export const DECISION_MOMENTS = [
  'acknowledged',
  'agent.prompted',
  'answer.held',
  'asked',
  'asked',
  'attempt.began',
  'decision.acknowledged',
  'decision.acted',
  'decision.created',
  'decision.delivered',
  'decision.delivered',
  'question.answered',
  'question.answered',
  'question.opened',
  'question.undone',
  'session.opened',
  'turn.ended',
]

/** So many from outside lie there at a time. */
const MOST_OUTSIDE = 3

export async function peopleOfDecisions(around: Around): Promise<boolean> {
  const { operations, chance, runs } = around
  const open = await operations.runs({ all: false, limit: 1000 })
  const pending = await pagesOf(around, 'pending')
  if (runs === 0 && open.length === 0 && pending.length === 0 && (await areAllActed(around))) return true
  const outside = pending.filter(({ run }) => run === null)
  await Promise.all([
    ...startMissing(around, open.length, ['advice']),
    ...(runs > 0 && outside.length < MOST_OUTSIDE && chance.happens(0.3) ? [raise(around, outside)] : []),
    // People take their time; a kill should meet open questions too.
    ...pending
      .filter(({ headline }) => chance.happens(patience(headline, runs)))
      .map((one) => answer(around, one)),
  ])
  return false
}

/** What a policy will answer is mostly left to it; at the end nobody relies on that. */
const patience = (headline: string, runs: number): number =>
  runs > 0 && headline.includes(POLICYS_HEADLINE) ? 0.1 : 0.4

const UNDER_WAY = ['answered', 'delivered', 'acknowledged'] as const

async function areAllActed(around: Around): Promise<boolean> {
  for (const status of UNDER_WAY)
    if ((await pagesOf(around, status)).some(({ run }) => run === null)) return false
  return true
}

async function pagesOf(
  { operations }: Around,
  status: 'pending' | (typeof UNDER_WAY)[number],
): Promise<readonly ListedDecision[]> {
  const page = await operations.decisions.list({ status, cursor: null, limit: 500 })
  return 'problem' in page ? [] : page.rows
}

async function raise(around: Around, outside: readonly ListedDecision[]): Promise<void> {
  const { operations, project, chance, witness } = around
  const old = chance.happens(0.25) ? chance.pick(outside)?.id : undefined
  const made = await ask(
    around,
    operations.decisions.create({
      payload: { ...EXAMPLE_DECISION, ...(old === undefined ? {} : { supersedes: old }) },
      asker: { agent: 'outsider', program: 'chaos', version: '', model: '' },
      door: 'cli',
      resume: { argv: resumeArgv(project), cwd: project.repo },
      repo: project.repo,
    }),
  )
  if ('id' in made) witness.raised.add(made.id)
  // The one it was to take the place of was answered a moment before.
  else if (made.code !== 'cannot-write' && (old === undefined || made.code !== 'not-waiting'))
    witness.complaints.push(`a decision was not made: ${made.code}: ${made.problem}`)
}

async function answer(around: Around, decision: ListedDecision): Promise<void> {
  const { chance, witness } = around
  if (decision.status === 'undeliverable') return void (await around.operations.decisions.retry(decision.id))
  const { id } = decision
  const pick = choose(decision, chance)
  const name = chance.happens(0.06) ? 'command' : chance.pick(['api', 'link'] as const)
  const said: Said = await ask(around, DOORS[name](around, decision, pick))
  if ('refused' in said) {
    if (!said.isExpected) witness.complaints.push(`${id} over ${name}: ${said.refused}`)
    return
  }
  witness.doors.set(name, (witness.doors.get(name) ?? 0) + 1)
  witness.decided.set(id, pick)
  if (decision.cause === 'agent' || decision.cause === 'outside')
    if (chance.happens(0.2)) await takeBack(around, id, pick)
}

async function takeBack(around: Around, id: string, pick: string): Promise<void> {
  const { operations, witness } = around
  // Until there is word of it, nobody knows whether the answer stands.
  witness.decided.delete(id)
  const undone = await ask(around, operations.decisions.undo(id))
  if ('undone' in undone) witness.doors.set('undo', (witness.doors.get('undo') ?? 0) + 1)
  else if (undone.code === 'too-late' || undone.code === 'cannot-write') witness.decided.set(id, pick)
  else if (undone.code !== 'unknown-question')
    witness.complaints.push(`${id} could not be taken back: ${undone.code}: ${undone.problem}`)
}

function choose({ cause, options }: ListedDecision, chance: Chance): string {
  const keys = options.map(({ key }) => key)
  if (cause !== 'fault') return chance.pick(keys.filter((key) => !key.startsWith('@')))
  return keys.includes('@retry') ? '@retry' : '@stop'
}
