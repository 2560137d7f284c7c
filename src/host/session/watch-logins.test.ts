/** When the copies of a login are looked at, and what becomes of what was found. */
import { expect, it } from 'vitest'
import type { Fact } from '../../model/fact.ts'
import type { LoginCopies } from '../confinement/keeps/login-copies.ts'
import { watchLogins } from './watch-logins.ts'

function stage(over: Partial<LoginCopies> = {}, record = async (): Promise<void> => {}) {
  const facts: Fact[] = []
  const done: string[] = []
  let now = 0
  const edges = {
    clock: { now: () => now },
    storage: { patiently: <T>(act: () => Promise<T>) => act() },
    runs: {
      execute: async (_run: string, [command]: readonly [{ readonly facts: readonly Fact[] }]) => {
        await record()
        facts.push(...command.facts)
      },
    },
  } as unknown as Parameters<typeof watchLogins>[0]
  const say = (what: string) => async (): Promise<readonly string[]> => {
    done.push(what)
    return [what]
  }
  const logins: LoginCopies = { notes: [], sync: say('sync'), end: say('end'), ...over }
  const watch = watchLogins(edges, { run: 'r', step: 'work', agent: 'dev' }, logins)
  return { watch, done, facts, pass: (ms: number) => (now += ms) }
}

it('[X16] looks when the agent does something, at most every two seconds, and at the end', async () => {
  const { watch, done, facts, pass } = stage({ notes: ['left by a killed session'] })
  watch.seen()
  for (const ms of [1_000, 1_500, 100, 3_000]) {
    pass(ms)
    watch.seen()
  }
  await watch.end()
  expect(done).toEqual(['sync', 'sync', 'end'])
  expect(facts).toMatchObject(
    ['left by a killed session', 'sync', 'sync', 'end'].map((note) => ({ text: `work: dev: ${note}` })),
  )
})

it('[X16] records that a copy could not be read, and removes it all the same', async () => {
  const failing = async (): Promise<readonly string[]> => {
    throw Object.assign(new Error('no'), { code: 'EACCES' })
  }
  const { watch, done, facts, pass } = stage({ sync: failing })
  pass(3_000)
  watch.seen()
  await watch.end()
  expect(done).toEqual(['end'])
  expect(facts).toMatchObject([{ text: 'work: dev: the copy of its login could not be read (EACCES)' }, {}])
})

it('what could not be recorded ends no host, and is thrown at the end', async () => {
  const { watch, done, pass } = stage({}, async () => {
    throw new Error('a bug')
  })
  pass(3_000)
  watch.seen()
  await expect(watch.end()).rejects.toThrow('a bug')
  expect(done).toEqual(['sync', 'end'])
})
