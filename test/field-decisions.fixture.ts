/** Decisions of a house, as people meet them: at the desk, over a link, and in what agents are told. */
import type { PersonAnswer } from '../src/host/inbox/decisions.ts'
import { secretsAt } from '../src/http/keys.fixture.ts'
import { createLinks } from '../src/http/links.ts'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import type { DecisionRecord } from '../src/model/decision-record.ts'
import type { House } from './host/host.fixture.ts'
import { PERSON, type RunInHouse } from './host/run.fixture.ts'

export const answer = (pick: string, more: Partial<PersonAnswer> = {}): PersonAnswer => ({
  pick,
  note: '',
  fields: {},
  edited: null,
  digest: null,
  together: false,
  ...more,
})

export const desk = (house: House, name: string = PERSON.name) =>
  house.host().decisions({ kind: 'person', name })

/** The nth decision of a run, when it is there. */
export async function decision(house: House, run: RunInHouse, nth = 1): Promise<DecisionRecord> {
  const { question } = await run.until('question.opened', nth)
  const page = await desk(house).list({ status: 'all', run: run.id, snoozed: true, cursor: null, limit: 50 })
  if ('problem' in page) throw new Error(page.problem)
  return record(house, page.rows.find((row) => row.question === question)!.id)
}

export async function record(house: House, id: string): Promise<DecisionRecord> {
  const found = await desk(house).show(id)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

/** From outside any run. */
export async function outside(
  house: House,
  payload: object = EXAMPLE_DECISION,
  command: readonly string[] | null = null,
): Promise<string> {
  const made = await desk(house).create({
    payload,
    asker: { agent: 'me', program: 'test', version: '', model: '' },
    door: 'cli',
    resume: command === null ? null : { argv: command, cwd: house.repo.dir },
    repo: house.repo.dir,
  })
  if ('problem' in made) throw new Error(made.problem)
  return made.id
}

export const link = (house: House, { id, digest }: DecisionRecord) =>
  createLinks({ url: house.url(), secrets: secretsAt(house.home) })({ id, person: PERSON.name, digest })

/** What the agent was told, as one text for each decision. */
export const envelopes = (run: RunInHouse): string[] =>
  run.prompts().filter((text) => text.includes('has answered your decision'))

/** How often an agent has fallen asleep, as it was on the wire. */
export const turnsEnded = ({ wire }: House): number =>
  wire.filter(
    ({ direction, message }) => direction === 'in' && JSON.stringify(message).includes('"stopReason"'),
  ).length
