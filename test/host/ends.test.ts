/** Where the end of the work is the answer: an end that shows no work is asked about, and a question in prose gets a person. */
import { expect, it } from 'vitest'
import { type HouseOptions, houses } from './host.fixture.ts'

const openHouse = houses()
const ON = 'on: { failed: abandoned }'
const WORKS = `steps: { plan: { agent: dev, next: done, ${ON} } }`
const PLAN = 'I would keep sessions in SQLite:\n```sh\nrm -f redis.conf\n```\nDoes this plan suit you?'
const write = { write: { path: 'src/new.ts', text: '1' } } as const
const REMINDER = 'Is it finished, or is it a question for a person?'

const started = async (options: HouseOptions) => (await openHouse(options)).start()
const fallen = async (options: HouseOptions) => {
  const run = await started(options)
  expect(await run.end()).toBe('abandoned')
  return { run, detail: (await run.until('member.faulted')).detail }
}

it.concurrent('[D29] [D30] a question in prose is asked about, put to a person whole, and its answer goes on in the session', async () => {
  const plays = {
    plan: [
      [{ say: PLAN }],
      [{ say: 'QUESTION: does it suit you?' }],
      [write, { say: 'FINISHED: as planned.' }],
    ],
  }
  const run = await started({ runbook: WORKS, plays })
  const card = await run.question()
  expect(card).toMatchObject({ cause: 'agent', headline: 'dev: does it suit you?' })
  const { context, evidence } = card.decision!
  expect(context).toBe(`\`\`\`\`message by the agent\n${PLAN}\n\`\`\`\``)
  expect(Object.values(evidence)).toEqual(['```message by the agent\nQUESTION: does it suit you?\n```'])
  await run.answer({ pick: 'go-on' }, { note: 'But keep redis.conf.' })
  expect(await run.end()).toBe('done')
  const [first, second, third] = run.prompts()
  expect(first).toContain('Begin your last message with FINISHED')
  expect(second).toContain(REMINDER)
  expect(third).toContain('But keep redis.conf.')
  expect(await run.all('session.opened')).toHaveLength(1)
  expect((await run.all('attempt.began')).map(({ member }) => member)).toEqual([0, 0, 0])
  const proof = await run.until('decision.proven')
  expect(proof.proof.door).toBe('message')
  expect(await run.kept(proof.proof.call)).toBe('QUESTION: does it suit you?')
})

it.concurrent('[D29] an end that says nothing of itself is asked about, also after it has looked around', async () => {
  const plays = {
    plan: [[{ run: 'cat a.txt' }, { say: 'Tell me if the plan suits you.' }], [{ say: 'FINISHED' }]],
  }
  const run = await started({ runbook: WORKS, plays })
  expect(await run.end()).toBe('done')
  expect(run.prompts()[1]).toContain(REMINDER)
})

it.concurrent('[D30] a second such end is a fault, with its words', async () => {
  const plays = { plan: [[{ say: 'I shall begin soon.' }], [{ say: 'I am on it.' }]] }
  const { run, detail } = await fallen({ runbook: WORKS, plays })
  expect(detail).toContain('It said: I am on it.')
  expect(run.prompts()).toHaveLength(2)
})

it.concurrent('[D30] the same question again is one for a person', async () => {
  const run = await started({ runbook: WORKS, plays: { plan: [[{ say: PLAN }], [{ say: PLAN }], [write]] } })
  await run.question()
  await run.answer(undefined, { note: 'Yes.' })
  expect(await run.end()).toBe('done')
})

it.concurrent('[D29] a change shows that work was done, and so does the word for it; neither is asked about', async () => {
  for (const turn of [[write, { say: 'Here it is.' }], [{ say: 'FINISHED: nothing had to be changed.' }]]) {
    const run = await started({ runbook: WORKS, plays: { plan: [turn] } })
    expect(await run.end()).toBe('done')
    expect(run.prompts()).toHaveLength(1)
  }
})

it.concurrent('[D29] a file kept as an artifact is a change, and a question after it is asked about all the same', async () => {
  const kept = { run: 'mkdir -p .signalbox/run && echo plan > .signalbox/run/plan.md' } as const
  const silent = await started({ runbook: WORKS, plays: { plan: [[kept, { say: 'It is written down.' }]] } })
  expect(await silent.end()).toBe('done')
  expect(silent.prompts()).toHaveLength(1)
  const asking = await started({
    runbook: WORKS,
    plays: { plan: [[kept, { say: PLAN }], [{ say: 'FINISHED' }]] },
  })
  expect(await asking.end()).toBe('done')
  expect(asking.prompts()[1]).toContain(REMINDER)
})

it.concurrent('[D30] an agent that may ask nobody is a fault with its question', async () => {
  const runbook = `agents: { dev: { questions: 0 } }\n${WORKS}`
  const { run, detail } = await fallen({ runbook, plays: { plan: [[{ say: `QUESTION\n${PLAN}` }]] } })
  expect(detail).toContain('Does this plan suit you?')
  expect(run.prompts()[0]).not.toContain('QUESTION')
})

it.concurrent('[D31] an error of the model as JSON is no answer, where nothing is asked or all may be left out', async () => {
  const text = '{"type":"error","error":{"type":"api_error","message":"Internal server error"}}'
  const works = await fallen({ runbook: WORKS, plays: { plan: [[{ say: text }]] } })
  expect(works.detail).toContain('Internal server error')
  const fields = `steps: { plan: { agent: dev, next: done, fields: { why: { type: text } }, ${ON} } }`
  const asks = await fallen({ runbook: fields, plays: { plan: [[{ say: text }]] } })
  expect(asks.detail).toContain('Internal server error')
})

it.concurrent('[D29] [D30] a plain command is started again with the whole brief and what it said, and its question gets a person', async () => {
  const script = `
    prompt=$(cat)
    case $prompt in
      *'Picked: go-on'*) echo new > src/new.ts; echo made ;;
      *'${REMINDER}'*'Does this plan suit you?'*) echo 'QUESTION: Does this plan suit you?' ;;
      *) echo 'Does this plan suit you?' ;;
    esac`
  const house = await openHouse({
    runbook: `steps: { plan: { agent: dev, prompt: Plan it., next: done, ${ON} } }`,
    programFor: (_, scripted) => ({ ...scripted, driver: 'command', argv: ['/bin/sh', '-c', script] }),
  })
  const run = await house.start()
  await run.question()
  await run.answer({ pick: 'go-on' })
  expect(await run.end()).toBe('done')
  expect(run.work.read('src/new.ts')).toBe('new\n')
  expect(await run.all('turn.ended')).toHaveLength(2)
})

it.concurrent('[D30] a plain command that only ever plans is a fault', async () => {
  const house = await openHouse({
    runbook: WORKS,
    programFor: (_, scripted) => ({ ...scripted, driver: 'command', argv: ['/bin/echo', 'I have a plan.'] }),
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.until('member.faulted')).detail).toContain('It said: I have a plan.')
})
