/** A run of a house, as a test follows it and as a person deals with it. */
import { expect, vi } from 'vitest'
import { questionsOf } from '../../src/engine/index.ts'
import type { Host } from '../../src/host/host.ts'
import { worldOf } from '../../src/host/runs/world.ts'
import { type Place, placeAt } from '../../src/host/workspace/repository.fixture.ts'
import type { RunCommand } from '../../src/model/command.ts'
import type { EventOf, RunEvent } from '../../src/model/event.ts'
import type { QuestionCard } from '../../src/model/question-card.ts'
import type { House } from './host.fixture.ts'

export interface RunInHouse {
  readonly id: string
  readonly work: Place
  events(): Promise<RunEvent[]>
  all<T extends RunEvent['type']>(type: T): Promise<EventOf<T>[]>
  /** Waits for the n-th event of that kind. */
  until<T extends RunEvent['type']>(type: T, nth?: number): Promise<EventOf<T>>
  /** Waits for the end and gives its name. */
  end(): Promise<string>
  question(): Promise<QuestionCard>
  answer(
    given: unknown,
    more?: { readonly note?: string; readonly extra?: '@retry' | '@stop' | null },
  ): Promise<void>
  /** A person moves, retries, cancels or extends it. */
  tell(deed: Deed): Promise<void>
  prompts(who?: string): string[]
  /** What is kept of a digest, as text. */
  kept(digest: string): Promise<string>
}

type Deed =
  | { readonly type: 'run.cancel' | 'run.retry'; readonly reason: string }
  | { readonly type: 'run.move'; readonly to: string; readonly reason: string }
  | { readonly type: 'run.extend'; readonly budget: string; readonly amount: number; readonly reason: string }

export const PERSON = { kind: 'person', name: 'alice' } as const
/** Real agents may take longer over what is nobody's matter but theirs. */
const PATIENCE_MS = Number(process.env['PATIENCE_MS'] ?? 60_000)

/** What will be true before long. */
export const eventually = <T>(look: () => T | Promise<T>) => {
  const within = (judge: (found: T) => void): Promise<void> =>
    vi.waitFor(async () => judge(await look()), { timeout: PATIENCE_MS, interval: 50 })
  return {
    toBe: (expected: T) => within((found) => expect(found).toBe(expected)),
    toEqual: (expected: T) => within((found) => expect(found).toEqual(expected)),
    toMatchObject: (expected: object) => within((found) => expect(found).toMatchObject(expected)),
  }
}

/** What a run asks of people now. */
export async function questionsIn({ runs }: Pick<Host, 'runs'>, run: string): Promise<QuestionCard[]> {
  const loaded = await runs.load(run)
  return loaded === null ? [] : questionsOf(loaded.program, loaded.state, worldOf(loaded))
}

export function runIn(house: House, id: string, worktree: string): RunInHouse {
  const events = async (): Promise<RunEvent[]> =>
    (await house.host().runs.events(id)).map(({ data }) => data as RunEvent)
  const all = async <T extends RunEvent['type']>(type: T): Promise<EventOf<T>[]> =>
    (await events()).filter((event): event is EventOf<T> => event.type === type)
  const until = async <T extends RunEvent['type']>(type: T, nth = 1): Promise<EventOf<T>> => {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const found = (await all(type))[nth - 1]
      if (found !== undefined) return found
      if (Date.now() > deadline)
        throw new Error(`no ${nth}. ${type} in\n${(await events()).map(line).join('\n')}`)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }
  const question = async (): Promise<QuestionCard> => {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const [card] = await questionsIn(house.host(), id)
      if (card !== undefined) return card
      if (Date.now() > deadline) throw new Error(`no question in\n${(await events()).map(line).join('\n')}`)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }
  const command = async (one: RunCommand): Promise<void> => {
    const told = await house.host().command(id, one)
    if ('refusal' in told) throw new Error(told.refusal.message)
  }
  return {
    id,
    work: placeAt(worktree),
    events,
    all,
    until,
    end: async () => (await until('run.ended')).end,
    question,
    answer: async (value, { note = '', extra = null } = {}) => {
      const { id: asked } = await question()
      const given = value === undefined ? ({ kind: 'nothing' } as const) : ({ kind: 'value', value } as const)
      const at = house.clock.now()
      return command({ type: 'question.answer', at, by: PERSON, question: asked, extra, given, note })
    },
    tell: (deed) => command({ ...deed, at: house.clock.now(), by: PERSON }),
    prompts: (who) =>
      house.wire
        .filter(
          ({ run, direction, message }) =>
            run === id && direction === 'out' && message.method === 'session/prompt',
        )
        .filter((sent) => who === undefined || sent.who === who)
        .map(({ message }) => message.params?.prompt?.[0]?.text ?? ''),
    kept: async (digest) =>
      new TextDecoder().decode((await house.host().journal.fetch(digest)) ?? new Uint8Array()),
  }
}

const line = (event: RunEvent): string => JSON.stringify(event).slice(0, 400)
