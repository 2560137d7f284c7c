/** The journal while no host is alive, held against what was seen of it and against itself. */
import {
  evolveStandalone,
  type StandaloneEvent,
  type StandaloneState,
  standaloneDuties,
} from '../../src/engine/index.ts'
import { DECISIONS, PENDING } from '../../src/host/inbox/rows.ts'
import { isStandalone, standaloneOf } from '../../src/host/inbox/standalones.ts'
import { projectWith } from '../../src/host/runs/rebuild.ts'
import { isRun, runOf } from '../../src/host/runs/runs.ts'
import {
  type JournalReader,
  openSqliteReader,
  type StoredEvent,
  type Ticket,
} from '../../src/journal/index.ts'
import type { Certificate } from '../../src/model/certificate.ts'
import type { RunEvent } from '../../src/model/event.ts'
import type { Program } from '../../src/model/program.ts'
import { certify } from '../../src/runbook/proof/certificate.ts'
import { problemsOfRun } from './run-record.fixture.ts'
import { placeOf, type Witness } from './witness.fixture.ts'

export interface RecordedRun {
  readonly run: string
  readonly events: readonly RunEvent[]
}

/** A decision that was raised outside any run. */
export interface RecordedDecision {
  readonly id: string
  readonly events: readonly StandaloneEvent[]
}

export interface Examined {
  readonly problems: readonly string[]
  readonly runs: readonly RecordedRun[]
  readonly outside: readonly RecordedDecision[]
  /** How many questions lay with people when the host went. */
  readonly questions: number
}

export async function examineRecord(file: string, witness: Witness): Promise<Examined> {
  const reader = await openSqliteReader({ file })
  try {
    const streams = await streamsOf(reader)
    const programs = createPrograms(reader)
    const questions = await reader.count(DECISIONS, PENDING)
    const problems = (await reader.verify()).map(
      ({ stream, version, problem }) => `${stream}@${version}: ${problem}`,
    )
    for (const [stream, stored] of streams) {
      const tickets = await reader.ticketsOf(stream)
      if (isStandalone(stream)) problems.push(...problemsOfTickets(stream, stored, tickets))
      if (!isRun(stream)) continue
      const run = runOf(stream)
      const { program, certificate } = await programs.of(stored)
      const { bereaved, shaken } = witness
      problems.push(...problemsOfRun({ run, program, certificate, stored, tickets, bereaved, shaken }))
    }
    const unlike = await reader.rowsUnlike(projectWith(programs.by))
    problems.push(...lost(streams, witness))
    problems.push(...unlike.differences.map(({ model, key, how }) => `the row ${model} ${key} is ${how}`))
    problems.push(...unlike.unmade.map(({ stream, why }) => `rows of ${stream} cannot be made: ${why}`))
    const runs = [...streams].flatMap(([stream, stored]) =>
      isRun(stream) ? [{ run: runOf(stream), events: stored.map(({ data }) => data as RunEvent) }] : [],
    )
    const outside = [...streams].flatMap(([stream, stored]) =>
      isStandalone(stream) ? [{ id: standaloneOf(stream), events: eventsOf(stored) }] : [],
    )
    return { problems, runs, outside, questions }
  } finally {
    await reader.close()
  }
}

const eventsOf = (stored: readonly StoredEvent[]): StandaloneEvent[] =>
  stored.map(({ data }) => data as StandaloneEvent)

function problemsOfTickets(
  stream: string,
  stored: readonly StoredEvent[],
  tickets: readonly Ticket[],
): string[] {
  const state = eventsOf(stored).reduce<StandaloneState | null>(evolveStandalone, null)
  const wanted = state === null ? [] : standaloneDuties(state).map(({ id }) => id)
  const held = tickets.map(({ id }) => id)
  return [
    ...wanted.filter((id) => !held.includes(id)).map((id) => `${stream}: nobody is told to do ${id}`),
    ...held.filter((id) => !wanted.includes(id)).map((id) => `${stream}: the ticket ${id} is for nothing`),
  ]
}

type Streams = ReadonlyMap<string, readonly StoredEvent[]>

const PAGE = 1000

async function streamsOf(reader: JournalReader): Promise<Streams> {
  const streams = new Map<string, StoredEvent[]>()
  let position = 0
  for (;;) {
    const page = await reader.readAll(position, PAGE)
    for (const event of page) {
      const stream = streams.get(event.stream) ?? []
      streams.set(event.stream, stream)
      stream.push(event)
    }
    if (page.length < PAGE) return streams
    position = page.at(-1)!.position
  }
}

/** Everything that was told before the crash is there after it, and is the same. */
function lost(streams: Streams, { seen, started, answered }: Witness): string[] {
  const hashes = new Map([...streams.values()].flat().map((event) => [placeOf(event), event.hash]))
  const picks = new Map<string, string>(
    [...streams].flatMap(([stream, stored]) =>
      stored.flatMap(({ data }) => {
        const event = data as RunEvent
        return event.type === 'question.answered'
          ? [[`${runOf(stream)} ${event.question}`, event.pick] as const]
          : []
      }),
    ),
  )
  return [
    ...[...seen]
      .filter(([place, hash]) => hashes.get(place) !== hash)
      .map(([place]) => `${place} was told and is lost`),
    ...[...started].filter((run) => !streams.has(`run/${run}`)).map((run) => `the start of ${run} is lost`),
    ...[...answered]
      .filter(([question, pick]) => picks.get(question) !== pick)
      .map(
        ([question, pick]) => `the answer ${pick} to ${question} is lost: there is ${picks.get(question)}`,
      ),
  ]
}

function createPrograms(reader: JournalReader) {
  const programs = new Map<string, Program>()
  const by = async (digest: string): Promise<Program> => {
    const known = programs.get(digest)
    if (known !== undefined) return known
    const bytes = await reader.fetch(digest)
    if (bytes === null) throw new Error(`the program ${digest} is not kept`)
    const program = JSON.parse(new TextDecoder().decode(bytes)) as Program
    programs.set(digest, program)
    return program
  }
  return {
    by,
    of: async (stored: readonly StoredEvent[]): Promise<{ program: Program; certificate: Certificate }> => {
      const [first] = stored
      const { program: digest } = first!.data as Extract<RunEvent, { type: 'run.started' }>
      const program = await by(digest)
      const certificate = CERTIFICATES.get(digest) ?? certify(program)
      CERTIFICATES.set(digest, certificate)
      return { program, certificate }
    },
  }
}

const CERTIFICATES = new Map<string, Certificate>()
