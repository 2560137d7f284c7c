/** The one desk for every decision, wherever it was raised: what a person may do about it, in their own name. */
import { randomBytes } from 'node:crypto'
import { type StandaloneCommand, type StandaloneState, standaloneEnvelope } from '../../engine/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { DecisionRecord, DecisionRow } from '../../model/decision-record.ts'
import { TEMPLATE_LIBRARY } from '../../runbook/compile/template-library.ts'
import { isStandalone, type Standalones, standaloneOf } from '../standalones.ts'
import type { Tools } from '../tools.ts'
import type { Trouble } from '../trouble.ts'
import { waitFor } from '../waiting.ts'
import type { Answered, DecisionOrder, Decisions, Heard, PersonAnswer } from './decisions.ts'
import { answerInRun, changedText, type InRun, noteInRun, retryInRun, undoInRun } from './in-run.ts'
import { findDecision, listDecisions, noDecision } from './listing.ts'
import { ALIKE, BATCH, DECISIONS, PENDING, SUPERSEDING } from './rows.ts'

export interface DeskOptions {
  readonly tools: Tools
  readonly by: Actor
}

type Done = { readonly done: true } | Trouble

const MOST_TOGETHER = 1000

export function createDesk(options: DeskOptions): Decisions {
  const { tools, by } = options
  const { journal, clock, standalones } = tools

  const record = async (id: string): Promise<DecisionRecord | Trouble> => {
    const row = (await journal.row(DECISIONS, id))?.data as DecisionRow | undefined
    if (row === undefined) return noDecision(id)
    const found =
      row.run === null
        ? (await standalones.load(standaloneOf(row.stream)))?.record
        : (await tools.runs.load(row.run))?.book.records[row.question]
    return found ?? noDecision(id)
  }

  /** The same act for both kinds of home. */
  const act = async (
    id: string,
    {
      inRun,
      outside,
    }: {
      readonly inRun: (about: InRun) => Promise<Done>
      readonly outside: (at: number) => StandaloneCommand
    },
  ): Promise<Done> => {
    const found = await record(id)
    if ('problem' in found) return found
    if (found.run !== null) return inRun({ tools, record: found, run: found.run, by })
    return told(await standalones.execute(found.question, outside(clock.now())))
  }

  const answerOne = async (id: string, answer: PersonAnswer, batch: string | null): Promise<Done> => {
    const found = await record(id)
    if ('problem' in found) return found
    if (found.status === 'open') {
      const wrong = mismatch(found, answer)
      if (wrong !== null) return wrong
    }
    const { pick, note, edited } = answer
    return act(id, {
      inRun: (about) => answerInRun(about, { answer, batch }),
      outside: (at) => ({ type: 'answer', at, by, pick, note, edited, batch }),
    })
  }

  return {
    list: (query) => listDecisions(journal, { query, now: clock.now() }),
    find: (prefix) => findDecision(journal, prefix),
    show: record,
    create: (order) => create(options, order),
    answer: async (id, answer) => {
      if (!answer.together) {
        const done = await answerOne(id, answer, null)
        return 'problem' in done ? done : { answered: [id], batch: null, refused: [] }
      }
      const found = await record(id)
      return 'problem' in found ? found : together(found, answer)
    },
    undo: async (id) => {
      const found = await record(id)
      if ('problem' in found) return found
      const outside = (at: number) => ({ type: 'undo', at, by }) as const
      const ids = found.batch === null ? [id] : await idsIn(BATCH, found.batch)
      const undone: string[] = []
      const late: string[] = []
      let trouble: Trouble | null = null
      for (const one of ids) {
        const done = await act(one, { inRun: undoInRun, outside })
        if ('problem' in done) {
          late.push(one)
          trouble ??= done
        } else undone.push(one)
      }
      return undone.length === 0 && trouble !== null ? trouble : { undone, late }
    },
    snooze: (id, until) =>
      act(id, {
        inRun: (about) => {
          const { question } = about.record
          return noteInRun(about, { type: 'decision.snoozed', at: clock.now(), question, by, until })
        },
        outside: (at) => ({ type: 'snooze', at, by, until }),
      }),
    assign: (id, to) =>
      act(id, {
        inRun: (about) => {
          const { question } = about.record
          return noteInRun(about, { type: 'decision.assigned', at: clock.now(), question, by, to })
        },
        outside: (at) => ({ type: 'assign', at, by, to }),
      }),
    withdraw: (id, reason) =>
      act(id, {
        inRun: async () => ({
          code: 'not-offered',
          problem:
            'A question of a run goes with its run: answer it, in words if none of its options fits, or cancel the run.',
        }),
        outside: (at) => ({ type: 'close', at, reason: 'withdrawn', note: reason }),
      }),
    retry: (id) => act(id, { inRun: retryInRun, outside: (at) => ({ type: 'retry', at, by }) }),
    wait: (id, waitMs, signal) => wait(options, { id, waitMs, signal }),
    acted: (id, did) =>
      act(id, {
        inRun: async () => ({
          code: 'people-only',
          problem: 'What an agent of a run does is seen by Signalbox itself.',
        }),
        outside: (at) => ({ type: 'act', at, did }),
      }),
  }

  /** Each is judged by itself: some may have been answered a moment ago. */
  async function together(found: DecisionRecord, answer: PersonAnswer): Promise<Answered | Trouble> {
    const batch = randomBytes(6).toString('hex')
    const first = await answerOne(found.id, answer, batch)
    if ('problem' in first) return first
    const answered = [found.id]
    const refused: { id: string; problem: string }[] = []
    for (const id of await idsIn(ALIKE, found.alike)) {
      if (id === found.id) continue
      const done = await answerOne(id, { ...answer, digest: null }, batch)
      if ('problem' in done) refused.push({ id, problem: done.problem })
      else answered.push(id)
    }
    return { answered, batch, refused }
  }

  async function idsIn(model: string, facet: string): Promise<string[]> {
    const rows = await journal.list({ model, facet, before: null, limit: MOST_TOGETHER })
    return rows.map(({ key }) => key)
  }
}

/** What can be told without asking where it lives. */
function mismatch({ id, digest, shown }: DecisionRecord, answer: PersonAnswer): Trouble | null {
  if (answer.digest !== null && answer.digest !== digest) return changedText({ id })
  const odd = Object.keys(answer.fields).filter((name) => !shown.fields.some((field) => field.name === name))
  if (odd.length > 0) {
    const names = shown.fields.map(({ name }) => name)
    const there = names.length === 0 ? 'It takes none' : `It takes ${names.join(', ')}`
    return { code: 'invalid-answer', problem: `There is no field ${odd.join(', ')}. ${there}.` }
  }
  const keys = shown.options.map(({ key }) => key)
  if (answer.pick === '' || keys.includes(answer.pick)) return null
  return {
    code: 'not-offered',
    problem: `"${answer.pick}" is not one of the options: ${keys.join(', ')}. Words go into the note.`,
  }
}

function told(result: Awaited<ReturnType<Standalones['execute']>>): Done {
  if ('refusal' in result) return { code: result.refusal.code, problem: result.refusal.message }
  if ('lost' in result) throw new Error('a command without a claim lost one')
  return { done: true }
}

/** The new one stands before the old one goes. */
async function create(
  { tools }: DeskOptions,
  { payload, asker, door, resume, repo }: DecisionOrder,
): Promise<{ readonly id: string } | Trouble> {
  const { journal, clock, standalones } = tools
  const wanted = supersededBy(payload)
  const old = wanted === null ? null : await findDecision(journal, wanted)
  if (old !== null && 'problem' in old) return { ...old, code: 'invalid-decision' }
  const row = old === null ? undefined : ((await journal.row(DECISIONS, old.id))?.data as DecisionRow)
  const wrong = row === undefined ? null : whyNotSuperseded(row)
  if (wrong !== null) return { ...wrong, problem: `${wrong.problem} Leave out \`supersedes\`.` }
  const call = await journal.keep(new TextEncoder().encode(JSON.stringify(payload) ?? 'null'))
  const id = randomBytes(5).toString('hex')
  const at = clock.now()
  const made = await standalones.execute(id, {
    type: 'create',
    at,
    id,
    payload,
    templates: TEMPLATE_LIBRARY,
    asker,
    repo,
    resume,
    supersedes: old?.id ?? null,
    proof: { door, call, prompts: [], dictated: [] },
  })
  if ('refusal' in made) return { code: made.refusal.code, problem: made.refusal.message }
  if ('lost' in made) throw new Error('a command without a claim lost one')
  if (old !== null) await closeSuperseded(tools, { old: old.id, by: made.loaded.record.id })
  return { id: made.loaded.record.id }
}

/** What a host was interrupted in: the new one stands, and the old one is still open. */
export async function recoverSuperseded(tools: Tools): Promise<void> {
  const page = { model: SUPERSEDING, facet: PENDING, before: null, limit: MOST_TOGETHER }
  for (const { data } of await tools.journal.list(page)) {
    const { id: by, supersedes: old } = data as { readonly id: string; readonly supersedes: string }
    await closeSuperseded(tools, { old, by })
  }
}

async function closeSuperseded(
  { journal, standalones, clock }: Tools,
  { old, by }: { readonly old: string; readonly by: string },
): Promise<void> {
  const row = (await journal.row(DECISIONS, old))?.data as DecisionRow | undefined
  if (row === undefined || !isStandalone(row.stream) || row.status !== 'open') return
  await standalones.execute(row.question, { type: 'close', at: clock.now(), reason: 'superseded', by })
}

function whyNotSuperseded({ id, run, status }: DecisionRow): Trouble | null {
  if (run !== null) {
    const problem = `${id} was asked in a run: only its own agent can put another in its place.`
    return { code: 'invalid-decision', problem }
  }
  if (status === 'open') return null
  // Not wrong when it was written: somebody was faster.
  const problem = `${id} is ${status} already: there is nothing to put another in the place of.`
  return { code: 'not-waiting', problem }
}

function supersededBy(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null || !('supersedes' in payload)) return null
  return typeof payload.supersedes === 'string' && payload.supersedes !== '' ? payload.supersedes : null
}

async function wait(
  { tools }: DeskOptions,
  {
    id,
    waitMs,
    signal,
  }: { readonly id: string; readonly waitMs: number; readonly signal: AbortSignal | undefined },
): Promise<Heard | Trouble | null> {
  const { journal, clock, standalones } = tools
  const row = (await journal.row(DECISIONS, id))?.data as DecisionRow | undefined
  if (row === undefined) return noDecision(id)
  if (!isStandalone(row.stream))
    return { code: 'people-only', problem: 'The answer to a question of a run goes to the run.' }
  const look = async (): Promise<Heard | Trouble | null> => {
    const state = await standalones.load(row.question)
    if (state === null) return noDecision(id)
    const { status, supersededBy: by } = state.record
    if (status === 'open') return null
    if (status === 'withdrawn' || status === 'superseded')
      return { code: 'not-waiting', problem: `${id} was ${status}${by === null ? '' : ` by ${by}`}.` }
    if (status !== 'answered' && status !== 'undeliverable') return heard(state)
    const done = await standalones.execute(row.question, { type: 'deliver', at: clock.now(), via: 'wait' })
    // What was delivered is what is told: it may have been taken back at this very moment, and answered anew.
    return 'loaded' in done ? heard(done.loaded) : null
  }
  return waitFor(tools, { look, concerns: ({ stream }) => stream === row.stream, waitMs, signal })
}

function heard(state: StandaloneState): Heard {
  const { status, pick, note, edited, by } = state.record
  return { answered: standaloneEnvelope(state) ?? '', status, pick, note, edited, by }
}
