import { expect, it } from 'vitest'
import { aRecord, aRow } from '../../engine/decision-row.fixture.ts'
import type { SentEvent } from '../../model/api/events.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Ask } from './ask.ts'
import { openDecisions } from './decisions.ts'
import type { Stream } from './stream.ts'

const AWAY = { code: 'host-away', problem: 'The host does not answer.' } as const

/** A host whose replies come when the test says so. */
function openHost() {
  const asked: { readonly address: string; readonly reply: (answer: unknown) => void }[] = []
  const ask = ((address: string) =>
    new Promise((resolve) => asked.push({ address, reply: resolve }))) as unknown as Ask
  let tell: (event: SentEvent | null) => void = () => undefined
  const follow = (listener: typeof tell) => {
    tell = listener
    return () => undefined
  }
  const decisions = openDecisions(ask, { follow } as unknown as Stream)
  const next = async (address: string) => {
    await expect.poll(() => asked.some((each) => each.address === address), { timeout: 8_000 }).toBe(true)
    const [found] = asked.splice(
      asked.findIndex((each) => each.address === address),
      1,
    )
    return async (answer: unknown) => {
      found!.reply(answer)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  return { decisions, tell: () => tell(null), next }
}

const ONE = 'GET /api/v1/decisions/{id}'
const LIST = 'GET /api/v1/decisions'

async function opened() {
  const host = openHost()
  const record = aRecord()
  const store = host.decisions.record('d1')
  await (await host.next(ONE))(record)
  return { ...host, record, status: () => (store.get() as { value: DecisionRecord }).value.status }
}

const answering = (send: () => Promise<unknown>) => ({
  id: 'd1',
  expected: ({ question }: DecisionRecord) =>
    ({
      type: 'question.answered',
      at: 1,
      question,
      by: { kind: 'person', name: 'me' },
      pick: 'redis',
      note: '',
    }) as never,
  send,
})

it('[U4] what was asked before an act does not bring back what was there before it', async () => {
  const { decisions, next, record, status, tell } = await opened()
  tell()
  const all = [await next(LIST), await next(LIST)]
  for (const reply of all) await reply({ rows: [aRow()], next: null })
  const early = await next(ONE)
  let sent: (answer: unknown) => void = () => undefined
  const done = decisions.attempt(answering(() => new Promise((resolve) => (sent = resolve))))
  const shown = status()
  expect(shown).not.toBe('open')
  await early(record)
  expect(status()).toBe(shown)
  sent({})
  const late = await next(ONE)
  await late({ ...record, status: 'acted', pick: 'redis' })
  await done
  expect(status()).toBe('acted')
})

it('[U4] a host that goes before the list is there takes nothing from the page, and an answer it could not take is open again', async () => {
  const { decisions, next, status, tell } = await opened()
  tell()
  const all = [await next(LIST), await next(LIST)]
  for (const reply of all) await reply(AWAY)
  expect(decisions.list.get().kind).toBe('loading')
  expect(await decisions.attempt(answering(async () => AWAY))).toEqual(AWAY)
  expect(status()).toBe('open')
  expect(decisions.list.get().kind).toBe('loading')
  // It is asked again by itself.
  for (const reply of [await next(LIST), await next(LIST)]) await reply({ rows: [aRow()], next: null })
  expect(decisions.list.get()).toMatchObject({ kind: 'there', value: { pending: [{ id: 'd1' }] } })
}, 10_000)
