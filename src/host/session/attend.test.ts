/** Conversations whose program dies, asks or is left at an awkward moment: the real loop, a journal in memory, a program that is told what to do. */
import { expect, it } from 'vitest'
import type { TurnEnd } from '../../drivers/index.ts'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { until } from '../../until.fixture.ts'
import { loadedOf } from '../runs/runs.fixture.ts'
import { BUILD, ENDED, hosting, RUN, staying } from './hosting.fixture.ts'

const SPEC = 'handoffs: { spec: { fields: { goal: { type: text, required: true } } } }'
const CRASHED: TurnEnd = { kind: 'crashed', detail: 'It is gone.' }

const raise = async ({ door, token }: Awaited<ReturnType<typeof hosting>>): Promise<string> => {
  const raised = await door.raise(token(), { payload: EXAMPLE_DECISION, door: 'mcp', call: '{}' })
  if (!('raised' in raised)) throw new Error(raised.rejected)
  return raised.raised
}
const [PICK, OTHER] = EXAMPLE_DECISION.options.map(({ key }) => key) as [string, string]

it('[D4] a program that is gone before its first prompt is a fault, and not opened again and again', async () => {
  const host = await hosting(BUILD, async () => ({
    id: 'short',
    agent: { name: 'told', version: '1' },
    resumed: false,
    isOpen: () => false,
    prompt: async () => CRASHED,
    cancel: async () => {},
    close: async () => {},
  }))
  expect(await host.end()).toBe('abandoned')
  expect(host.requests).toHaveLength(1)
})

it('one that answers while its own question is open, and is sent back by its gate, goes on in the same session', async () => {
  const programs = staying()
  const gated = BUILD.replace('agent: dev,', 'agent: dev, gate: { run: "exit 1", expect: none },')
  const host = await hosting(gated, programs.open)
  const first = await programs.turn(1)
  await raise(host)
  expect(await host.door.report(host.token(), { decision: 'ready' })).toHaveProperty('accepted')
  first.end(ENDED)
  await until(async () => (await host.types()).includes('gate.failed'), 'the gate')
  expect((await programs.turn(2)).nth).toBe(1)
  expect([host.requests.length, host.bugs]).toEqual([1, []])
})

it('[Q11] an undo takes back an answer, and nothing that agents reported', async () => {
  const programs = staying()
  const host = await hosting(
    `${SPEC}\n${BUILD.replace('agent: dev,', 'agent: dev, gives: spec,')}`,
    programs.open,
  )
  await programs.turn(1)
  expect(await host.door.handOff(host.token(), { goal: 'G' })).toHaveProperty('accepted')
  const question = await raise(host)
  const before = (await host.load()).reported
  const both = [host.answer(question, PICK), host.undo(question)]
  expect((await Promise.all(both)).map((done) => 'loaded' in done)).toEqual([true, true])
  expect((await host.load()).reported).toEqual(before)
  expect(Object.values(before)).toEqual([{ handoff: expect.any(String) as unknown as string }])
})

it('a duty that waited while its session was left is done by another, at once', async () => {
  const programs = staying()
  const doors: (() => void)[] = []
  const host = await hosting(BUILD, async (request, nth) => {
    if (nth > 1) await new Promise<void>((resolve) => doors.push(resolve))
    return programs.open(request, nth)
  })
  const first = await programs.turn(1)
  const question = await raise(host)
  first.end(CRASHED)
  await host.answer(question, PICK)
  await until(() => doors.length === 1, 'the second opening')
  await host.undo(question)
  await host.answer(question, OTHER)
  doors[0]!()
  await until(() => doors.length === 2, 'the third opening')
  doors[1]!()
  expect((await programs.turn(2)).nth).toBe(3)
  expect(host.door.knows(host.token(2))).toBe(true)
  expect((await host.types()).filter((type) => type === 'decision.delivered')).toHaveLength(1)
})

it('[H4] FIELD 6: a handoff that comes late is not the next visit’s', async () => {
  const programs = staying()
  const host = await hosting(
    `
${SPEC}
steps:
  one: { agent: dev, gives: spec, options: { ready: two, broken: abandoned } }
  two: { agent: dev, gives: spec, options: { ready: done, broken: abandoned } }
on: { failed: abandoned }`,
    programs.open,
  )
  const first = await programs.turn(1)
  await host.door.handOff(host.token(), { goal: 'first' })
  await host.door.report(host.token(), { decision: 'ready' })
  first.end(ENDED)
  await programs.turn(2)
  const late = { type: 'handoff.reported', at: 2, step: 'one', visit: 1, member: 0, digest: 'late' } as const
  loadedOf(await host.runs.execute(RUN, [{ type: 'run.record', at: 2, facts: [late] }]))
  expect(await host.door.report(host.token(1), { decision: 'ready' })).toMatchObject({
    code: 'invalid-answer',
  })
})

it('a form that comes before there is a session is declined at once, and asks nobody', async () => {
  const programs = staying()
  const host = await hosting(BUILD, async (request, nth) => {
    const form = {
      message: 'Trust this folder?',
      title: '',
      description: '',
      options: [{ key: 'y', label: 'Yes', body: 'y' }],
      recommended: null,
      form: null,
      takesWords: false,
      received: {},
    }
    expect(await request.onElicitation?.(form)).toMatchObject({ kind: 'declined' })
    return programs.open(request, nth)
  })
  await programs.turn(1)
  expect(await host.types()).not.toContain('question.opened')
})

it('a program is ended where the journal cannot take that it was opened', async () => {
  const programs = staying()
  const memory = createMemoryJournal()
  let failures = 1
  const journal: Journal = {
    ...memory,
    append: async (append) => {
      if (failures > 0 && append.events.some(({ type }) => type === 'session.opened')) {
        failures--
        throw new Error('the disk is full')
      }
      return memory.append(append)
    },
  }
  const host = await hosting(BUILD, programs.open, { journal })
  await until(() => host.bugs.length === 1, 'the failure')
  await until(() => programs.closed.length === 1, 'the end of the first program')
  host.clock.advance(10_000)
  expect((await programs.turn(1)).nth).toBe(2)
})

it('[D4] [K6] words that nobody can deal with are the fault of who said them, and of nobody else', async () => {
  const programs = staying()
  const host = await hosting(BUILD, programs.open)
  await programs.turn(1)
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown
  host.requests[0]!.onUpdate({ kind: 'tool', id: '1', title: 'Read', status: 'completed', input: deep })
  host.clock.advance(5_000)
  expect(await host.end()).toBe('abandoned')
  expect(host.bugs).toEqual([])
})
