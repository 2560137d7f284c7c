/** A client outside any run, which has no shell of its own, has people answer for commands that they do not see. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cardLines } from '../../src/cli/decision/card.ts'
import type { DecisionOrder, PersonAnswer } from '../../src/host/inbox/decisions.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { houses } from '../host/host.fixture.ts'
import { eventually, PERSON } from '../host/run.fixture.ts'

const openHouse = houses()
const RUNBOOK = 'steps: { work: { agent: dev, next: done } }'
const LOOK = { paint: (_style: unknown, text: string) => text, columns: 80, now: 0, mostLines: 1 }
const PICK: PersonAnswer = {
  pick: 'sqlite',
  note: '',
  fields: {},
  edited: null,
  digest: null,
  together: false,
}

async function settle() {
  const house = await openHouse({ runbook: RUNBOOK })
  const desk = house.host().decisions(PERSON)
  const order: DecisionOrder = {
    payload: EXAMPLE_DECISION,
    asker: { agent: 'client', program: '', version: '', model: '' },
    door: 'mcp',
    repo: house.repo.dir,
    resume: null,
  }
  const mark = (name: string): string => join(house.home.dir, name)
  const raise = (argv: readonly string[], payload: object = {}) =>
    desk.create({
      ...order,
      payload: { ...EXAMPLE_DECISION, ...payload },
      resume: { argv, cwd: house.repo.dir },
    })
  return { house, desk, raise, mark }
}

it.concurrent('[Q27] behind codes, marks, blanks or more words than a card has room for', async ({
  task,
}) => {
  const { desk, raise } = await settle()
  const hidden = [
    ['sh', '-c', 'touch stolen\u001B[2K\rls'],
    ['sh', '-c', 'ls #\u2066 nelots hcuot'],
    ['sh', '-c', `ls ${'\u00A0'.repeat(200)}; touch stolen`],
    ['sh', '-c', `ls #${'.'.repeat(4000)}\ntouch stolen`],
  ]
  for (const argv of hidden) expect(await raise(argv)).toMatchObject({ code: 'invalid-decision' })
  task.meta.deeds = hidden.length
  expect(await desk.list({ status: 'all', cursor: null, limit: 5 })).toMatchObject({ rows: [] })
})

it.concurrent('[Q27] behind a long one that is allowed: the card shows its end', async ({ task }) => {
  const { desk, raise } = await settle()
  const made = await raise(['sh', '-c', `${'true; '.repeat(200)}touch stolen`])
  const record = await desk.show('id' in made ? made.id : '')
  if ('problem' in record) throw new Error(record.problem)
  expect(cardLines(record, LOOK).join('\n')).toContain('touch stolen')
  task.meta.deeds = 1
})

it.concurrent('[Q17] [Q27] behind the answer to another that asks the same with a harmless command', async ({
  task,
}) => {
  const { desk, raise, mark } = await settle()
  const [seen, unseen] = [await raise(['touch', mark('seen')]), await raise(['touch', mark('unseen')])]
  if ('problem' in seen || 'problem' in unseen) throw new Error('not raised')
  expect(await desk.answer(seen.id, { ...PICK, together: true })).toMatchObject({ answered: [seen.id] })
  await eventually(() => existsSync(mark('seen'))).toBe(true)
  expect(await desk.show(unseen.id)).toMatchObject({ status: 'open' })
  expect(existsSync(mark('unseen'))).toBe(false)
  task.meta.deeds = 2
})

it.concurrent('[Q9] [Q27] behind a deadline that nobody can meet', async ({ task }) => {
  const { desk, raise, mark, house } = await settle()
  const made = await raise(['touch', mark('lapsed')], { deadline: '1s' })
  if ('problem' in made) throw new Error(made.problem)
  house.clock.advance(2_000)
  await eventually(() => desk.show(made.id)).toMatchObject({ status: 'expired' })
  await house.close()
  expect(existsSync(mark('lapsed'))).toBe(false)
  task.meta.deeds = 1
})
