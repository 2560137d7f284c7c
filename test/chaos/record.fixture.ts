/** The journal while no host is alive, held against what was seen of it and against itself. */
import { isDeepStrictEqual } from 'node:util'
import { QUESTIONS, RUNS } from '../../src/host/projection.ts'
import { projectWith, runOf } from '../../src/host/runs.ts'
import { type JournalReader, openSqliteReader, type StoredEvent } from '../../src/journal/index.ts'
import type { Certificate } from '../../src/model/certificate.ts'
import type { RunEvent } from '../../src/model/event.ts'
import type { Program } from '../../src/model/program.ts'
import { certify } from '../../src/runbook/certificate.ts'
import { problemsOfRun } from './run-record.fixture.ts'
import { placeOf, type Witness } from './witness.fixture.ts'

export interface RecordedRun {
  readonly run: string
  readonly events: readonly RunEvent[]
}

export interface Examined {
  readonly problems: readonly string[]
  readonly runs: readonly RecordedRun[]
  /** What was to be done when the host went, by kind; `question` for what lay with a person. */
  readonly pending: readonly string[]
}

export async function examineRecord(file: string, witness: Witness): Promise<Examined> {
  const reader = await openSqliteReader({ file })
  try {
    const streams = await streamsOf(reader)
    const programs = createPrograms(reader)
    const pending = (await reader.list({ model: QUESTIONS, facet: null, before: null, limit: PAGE })).map(
      () => 'question',
    )
    const problems = (await reader.verify()).map(
      ({ stream, version, problem }) => `${stream}@${version}: ${problem}`,
    )
    for (const [stream, stored] of streams) {
      const run = runOf(stream)
      const { program, certificate } = await programs.of(stored)
      const tickets = await reader.ticketsOf(stream)
      pending.push(...tickets.map(({ kind }) => kind))
      const { bereaved } = witness
      problems.push(...problemsOfRun({ run, program, certificate, stored, tickets, bereaved }))
    }
    problems.push(...lost(streams, witness), ...(await unlikeRebuilt(reader, streams, programs.by)))
    const runs = [...streams].map(([stream, stored]) => ({
      run: runOf(stream),
      events: stored.map(({ data }) => data as RunEvent),
    }))
    return { problems, runs, pending }
  } finally {
    await reader.close()
  }
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

async function unlikeRebuilt(
  reader: JournalReader,
  streams: Streams,
  programBy: (digest: string) => Promise<Program>,
): Promise<string[]> {
  const project = projectWith(programBy)
  const rebuilt = (await Promise.all([...streams].map(([stream, stored]) => project(stream, stored)))).flat()
  const lists = await Promise.all(
    [RUNS, QUESTIONS].map((model) => reader.list({ model, facet: null, before: null, limit: 100_000 })),
  )
  const listed = lists.flat()
  const differing = rebuilt.filter((row) => {
    const found = listed.find(({ model, key }) => model === row.model && key === row.key)
    return !isDeepStrictEqual(found, JSON.parse(JSON.stringify(row)))
  })
  const extra = listed.filter(
    ({ model, key }) => !rebuilt.some((row) => row.model === model && row.key === key),
  )
  return [
    ...differing.map(({ model, key }) => `the row ${model} ${key} is not what its events give`),
    ...extra.map(({ model, key }) => `the row ${model} ${key} is of nothing`),
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
