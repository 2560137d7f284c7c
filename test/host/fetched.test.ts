/** Answers that an agent fetches itself: what it fetched it has got, and what it hung up on it has not. */
import { expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const WORK =
  'steps: { work: { agent: dev, time: 10m, stall: 5m, nudges: 2, options: { good: done, poor: abandoned } } }'
const good = { answer: { decision: 'good' }, via: 'mcp' } as const
const raise = { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } }

it.concurrent('[Q8] is told the answer where it hung up before that came', async () => {
  // The second request is heard after the end of the first: by then the host knows that nobody waits.
  const wait = `curl -s --max-time 0.5 -H "authorization: Bearer $SIGNALBOX_SESSION_TOKEN" "$SIGNALBOX_SESSION_URL/api/v1/session/decisions/work%231.0%3F1/wait?seconds=45" || true; curl -s "$SIGNALBOX_SESSION_URL/api/v1/health"`
  const house = await openHouse({
    runbook: WORK,
    plays: {
      work: [
        [
          raise,
          { run: wait },
          { write: { path: '.signalbox/run/hung-up', text: '' } },
          { run: 'while [ ! -e .signalbox/run/go ]; do sleep 0.05; done' },
        ],
        [good],
      ],
    },
    doors: true,
  })
  const run = await house.start()
  await eventually(() => run.work.has('.signalbox/run/hung-up')).toBe(true)
  await run.answer('redis', { note: 'The fast one.' })
  run.work.write('.signalbox/run/go', '')
  expect(await run.end()).toBe('done')
  expect(run.prompts()[1]).toContain('The fast one.')
  expect((await run.all('decision.delivered')).map(({ via }) => via)).toEqual(['prompt'])
})

it.concurrent('[Q8] gets the answer, whatever else it was told since', async () => {
  const wait = { tool: { name: 'wait_decision', arguments: { decision: 'work#1.0?1', seconds: 0 } } }
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [[raise], [{ answer: { decision: 'nonsense' }, via: 'file' }], [wait, good]] },
    doors: true,
  })
  const run = await house.start()
  await run.question()
  await run.answer('redis', { note: 'The fast one.' })
  expect(await run.end()).toBe('done')
  const heard = house.wire.flatMap(({ direction, message }) => {
    const text = JSON.stringify(message)
    return direction === 'in' && text.includes('Picked: redis') ? [text] : []
  })
  expect(heard.join()).toContain('The fast one.')
})
