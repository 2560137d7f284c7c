/** An agent that asks in its own way gets a person: in prose at the end of its turn, or by a form of its protocol. */
import { expect } from 'vitest'
import { working } from '../stage.fixture.ts'
import type { Behaviour } from './behaviour.ts'

const PLAN = 'I would keep sessions in SQLite. Does this plan suit you?'

const QUESTIONS = [
  {
    question: 'Which store?',
    header: 'Store',
    multiSelect: false,
    options: [
      { label: 'SQLite', description: 'One file.' },
      { label: 'Redis', description: 'A service.' },
    ],
  },
  {
    question: 'Which platforms?',
    header: 'Platforms',
    multiSelect: true,
    options: [
      { label: 'Linux', description: 'Servers.' },
      { label: 'macOS', description: 'Laptops.' },
    ],
  },
]

export const ENDINGS: readonly Behaviour[] = [
  {
    name: 'a question in prose at the end of its turn is put to a person, and its answer goes on',
    play: async ({ open }) => {
      const house = await open({
        runbook: working([{ say: PLAN }], '', [
          { when: 'or is it a question for a person?', do: [{ say: `QUESTION: ${PLAN}` }] },
          {
            when: 'Picked: go-on',
            do: [{ shell: 'echo sqlite > plan.txt' }, { say: 'FINISHED: as planned.' }],
          },
        ]),
      })
      const run = await house.start()
      const { decision } = await run.question()
      expect(decision?.context).toContain(PLAN)
      await run.answer('go-on')
      expect(await run.end()).toBe('done')
      expect(run.work.read('plan.txt')).toBe('sqlite\n')
      expect(await run.all('question.opened')).toHaveLength(1)
    },
  },
  {
    name: 'asks by a form of several fields, and hears every answer',
    play: async ({ open }) => {
      const ask = { call: 'AskUserQuestion', with: { questions: QUESTIONS } }
      const house = await open({ runbook: working([ask, { say: 'FINISHED' }]) })
      const run = await house.start()
      await Promise.race([run.question(), run.end()])
      const { fields } = Object.values((await house.host().runs.load(run.id))!.book.records)[0]!.shown
      expect(fields.map(({ type }) => type)).toEqual(['choice', 'text', 'list', 'text'])
      const [store, , platforms, other] = fields.map(({ name }) => name)
      await run.answer({
        pick: 'submit',
        fields: { [store!]: 'Redis', [platforms!]: ['Linux', 'macOS'], [other!]: '' },
      })
      expect(await run.end()).toBe('done')
      const heard = house.wire.map(({ message }) => JSON.stringify(message)).join('\n')
      for (const answer of ['"Which store?"="Redis"', '"Which platforms?"="Linux, macOS"'])
        expect(heard.replaceAll('\\', '')).toContain(answer)
    },
  },
]
