/** The one desk for every decision, wherever it was raised: what a person may do about it, in their own name. */
import { randomBytes } from 'node:crypto'
import { whyNotAnswered, whyNotSuperseded } from '../../engine/index.ts'
import type { Journal, Row } from '../../journal/index.ts'
import { bytesDigest } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { AnswerDecision, DecisionCommand } from '../../model/decision-command.ts'
import type { DecisionRecord, DecisionRow } from '../../model/decision-record.ts'
import { orAltered } from '../../model/failure.ts'
import type { Refusal, Rejection } from '../../model/refusal.ts'
import { TEMPLATE_LIBRARY } from '../../runbook/compile/template-library.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import { apart, type Tell } from '../streams/apart.ts'
import type { WaitingEdges } from '../streams/waiting.ts'
import { changedSince } from './changed-since.ts'
import type { Answered, DecisionOrder, Decisions, PersonAnswer } from './decisions.ts'
import { findDecision, listDecisions, noDecision } from './listing.ts'
import { ALIKE, BATCH, DECISIONS, PENDING, SUPERSEDING } from './rows.ts'
import { isStandalone, type Standalones, standaloneOf } from './standalones.ts'
import { waitForAnswer } from './wait-for-answer.ts'

export interface DeskNeeds extends DutyNeeds, WaitingEdges {
  readonly journal: Journal
  readonly standalones: Standalones
}

export interface DeskOptions {
  readonly tools: DeskNeeds
  readonly by: Actor
}

type Done = { readonly done: true } | Rejection

const MOST_TOGETHER = 1000

export function createDesk(options: DeskOptions): Decisions {
  const { tools, by } = options
  const { journal, clock, standalones } = tools

  const record = async (id: string): Promise<DecisionRecord | Rejection> => {
    const row = (await journal.row(DECISIONS, id))?.data as DecisionRow | undefined
    if (row === undefined) return noDecision(id)
    const found =
      row.run === null
        ? (await standalones.load(standaloneOf(row.stream)))?.record
        : (await tools.runs.load(row.run))?.book.records[row.question]
    return found ?? noDecision(id)
  }

  /** To where it lives: the same command by the same name. */
  const execute = async ({ run, question }: DecisionRecord, command: DecisionCommand): Promise<Done> => {
    const executed =
      run === null ? await standalones.execute(question, command) : await tools.runs.execute(run, [command])
    if ('lost' in executed) throw new Error('a command without a claim lost one')
    return 'refusal' in executed ? rejectionOf(executed.refusal) : { done: true }
  }

  const act = async (id: string, command: (about: About) => DecisionCommand): Promise<Done> => {
    const found = await record(id)
    return 'problem' in found ? found : execute(found, command({ at: clock.now(), question: found.question }))
  }

  const answerOne = async (
    id: string,
    answer: PersonAnswer,
    batch: string | null,
  ): Promise<{ readonly undoableUntil: number | null } | Rejection> => {
    const found = await record(id)
    if ('problem' in found) return found
    const { pick, note, fields, edited, digest, holdMs = 0 } = answer
    const held = holdMs === 0 ? {} : { holdMs }
    const given = { pick, note, fields, edited, digest, batch, by, ...held }
    const at = clock.now()
    const command: AnswerDecision = { type: 'decision.answer', at, question: found.question, ...given }
    const done = (await staleness(found, command)) ?? (await execute(found, command))
    return 'problem' in done ? done : { undoableUntil: holdMs === 0 ? null : at + holdMs }
  }

  /** Only what would do otherwise is worth a look at the worktree. */
  const staleness = async (found: DecisionRecord, command: AnswerDecision): Promise<Rejection | null> => {
    if (found.status !== 'open' || whyNotAnswered(found, command) !== null) return null
    return changedSince(tools, found)
  }

  return {
    list: (query) => listDecisions(journal, { query, now: clock.now() }),
    find: (prefix) => findDecision(journal, prefix),
    show: record,
    create: (order) => create(options, order),
    answer: async (id, answer) => {
      if (!answer.together) {
        const done = await answerOne(id, answer, null)
        return 'problem' in done ? done : { answered: [id], batch: null, refused: [], ...done }
      }
      const found = await record(id)
      return 'problem' in found ? found : together(found, answer)
    },
    undo: async (id) => {
      const found = await record(id)
      if ('problem' in found) return found
      const ids = found.batch === null ? [id] : await idsIn(BATCH, found.batch)
      const undone: string[] = []
      const late: string[] = []
      const refused: { id: string; problem: string }[] = []
      let rejection: Rejection | null = null
      for (const one of ids) {
        const done = await orAltered(() => act(one, (about) => ({ type: 'decision.undo', ...about, by })))
        if (!('problem' in done)) undone.push(one)
        else {
          if (done.code === 'too-late') late.push(one)
          else refused.push({ id: one, problem: done.problem })
          rejection ??= done
        }
      }
      return undone.length === 0 && rejection !== null ? rejection : { undone, late, refused }
    },
    snooze: (id, until) => act(id, (about) => ({ type: 'decision.snooze', ...about, by, until })),
    assign: (id, to) => act(id, (about) => ({ type: 'decision.assign', ...about, by, to })),
    withdraw: (id, note) => act(id, (about) => ({ type: 'decision.withdraw', ...about, note })),
    retry: (id) => act(id, (about) => ({ type: 'decision.retry', ...about, by })),
    wait: (id, waitMs, signal) => waitForAnswer(tools, { id, waitMs, signal }),
    acted: (id, did) => act(id, (about) => ({ type: 'decision.act', ...about, did })),
  }

  /** Each is judged by itself: some may have been answered a moment ago. */
  async function together(found: DecisionRecord, answer: PersonAnswer): Promise<Answered | Rejection> {
    const batch = randomBytes(6).toString('hex')
    const first = await answerOne(found.id, answer, batch)
    if ('problem' in first) return first
    const answered = [found.id]
    const refused: { id: string; problem: string }[] = []
    for (const id of await idsIn(ALIKE, found.alike)) {
      if (id === found.id) continue
      const done = await orAltered(() => answerOne(id, { ...answer, digest: null }, batch))
      if ('problem' in done) refused.push({ id, problem: done.problem })
      else answered.push(id)
    }
    return { answered, batch, refused, ...first }
  }

  async function idsIn(model: string, facet: string): Promise<string[]> {
    const rows = await journal.list({ model, facet, before: null, limit: MOST_TOGETHER })
    return rows.map(({ key }) => key)
  }
}

interface About {
  readonly at: number
  readonly question: string
}

const rejectionOf = ({ code, message }: Refusal): Rejection => ({ code, problem: message })

/** The new one stands before the old one goes. */
async function create(
  { tools }: DeskOptions,
  { payload, asker, door, resume, repo }: DecisionOrder,
): Promise<{ readonly id: string } | Rejection> {
  const { journal, clock, standalones } = tools
  const wanted = supersededBy(payload)
  const old = wanted === null ? null : await findDecision(journal, wanted)
  if (old !== null && 'problem' in old) return { ...old, code: 'invalid-decision' }
  const row = old === null ? undefined : ((await journal.row(DECISIONS, old.id))?.data as DecisionRow)
  const wrong = row === undefined ? null : whyNotSuperseded(row, asker.agent)
  if (wrong !== null) return { code: wrong.code, problem: `${wrong.message} Leave out \`supersedes\`.` }
  const call = new TextEncoder().encode(JSON.stringify(payload) ?? 'null')
  const id = randomBytes(5).toString('hex')
  const at = clock.now()
  const proof = { door, call: bytesDigest(call), prompts: [], dictated: [] }
  const supersedes = old?.id ?? null
  const raised = { payload, templates: TEMPLATE_LIBRARY, asker, repo, resume, supersedes, proof }
  const made = await standalones.execute(id, { type: 'decision.create', at, id, ...raised }, { keep: [call] })
  if ('refusal' in made) return rejectionOf(made.refusal)
  if ('lost' in made) throw new Error('a command without a claim lost one')
  if (old !== null) await closeSuperseded(tools, { old: old.id, by: made.loaded.record.id })
  return { id: made.loaded.record.id }
}

/** What a host was interrupted in: the new one stands, and the old one is still open. */
export async function recoverSuperseded(
  tools: Pick<DeskNeeds, 'journal' | 'standalones' | 'clock'> & { readonly onBug: Tell },
): Promise<void> {
  const page = { model: SUPERSEDING, facet: PENDING, before: null, limit: MOST_TOGETHER }
  const close = ({ data }: Row): Promise<void> => {
    const { id: by, supersedes: old } = data as { readonly id: string; readonly supersedes: string }
    return closeSuperseded(tools, { old, by })
  }
  await apart(await tools.journal.list(page), close, tools.onBug)
}

async function closeSuperseded(
  { journal, standalones, clock }: Pick<DeskNeeds, 'journal' | 'standalones' | 'clock'>,
  { old, by }: { readonly old: string; readonly by: string },
): Promise<void> {
  const row = (await journal.row(DECISIONS, old))?.data as DecisionRow | undefined
  if (row === undefined || !isStandalone(row.stream) || row.status !== 'open') return
  await standalones.execute(row.question, { type: 'decision.supersede', at: clock.now(), by })
}

function supersededBy(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null || !('supersedes' in payload)) return null
  return typeof payload.supersedes === 'string' && payload.supersedes !== '' ? payload.supersedes : null
}
