/** Where an answer may come from, and what becomes of one that is none. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type HouseOptions, houses, type Turns } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const JUDGE = 'steps: { judge: { agent: dev, options: { good: done, poor: abandoned } } }'
const good = { decision: 'good' }
const poor = { decision: 'poor' }

const judged = async (turns: Turns, more: Partial<HouseOptions> = {}) => {
  const house = await openHouse({ runbook: JUDGE, plays: { judge: turns }, ...more })
  const run = await house.start()
  return { house, run, end: await run.end() }
}

it.concurrent('is taken from the file the agent was told of, and moved to the record', async () => {
  const { house, run, end } = await judged([[{ answer: good, via: 'file' }]])
  expect(end).toBe('done')
  const received = await run.until('answer.received')
  expect([received.via, await run.kept(received.digest)]).toEqual(['file', JSON.stringify(good)])
  const name = /answer-[0-9a-f]+\.json/.exec(run.prompts()[0]!)![0]
  await eventually(() => run.work.has(`.signalbox/run/${name}`)).toBe(false)
  expect(readdirSync(join(house.home.answers, run.id, 'taken'))).toEqual([expect.stringContaining(name)])
  expect(await run.all('artifact.kept')).toEqual([])
})

it.concurrent('is taken from .vibe/decision.json, and from the last message', async () => {
  const vibe = await judged([[{ vibe: poor }]])
  expect([vibe.end, (await vibe.run.until('answer.received')).via]).toEqual(['abandoned', 'file'])
  await eventually(() => vibe.run.work.has('.vibe/decision.json')).toBe(false)
  const message = await judged([
    [
      { say: 'I think:\n' },
      { answer: poor, via: 'message' },
      { run: 'true' },
      { answer: good, via: 'message' },
    ],
  ])
  expect([message.end, (await message.run.until('answer.received')).via]).toEqual(['done', 'message'])
})

it.concurrent('[D3] over MCP comes before a file, a file before a message', async () => {
  const three = [
    { answer: poor, via: 'file' },
    { answer: good, via: 'mcp' },
    { answer: poor, via: 'message' },
  ] as const
  const over = await judged([three], { doors: true })
  expect([over.end, (await over.run.until('answer.received')).via]).toEqual(['done', 'mcp'])
  const by = await judged([[{ answer: good, via: 'file' }, { vibe: poor }, { answer: poor, via: 'message' }]])
  expect(by.end).toBe('done')
})

it.concurrent('[D3] over MCP is in the journal when the agent is told so, and counts though host and agent end', async () => {
  const turns = [[{ answer: poor, via: 'mcp' }, { answer: good, via: 'mcp' }, { hang: true }]] as const
  const house = await openHouse({ runbook: JUDGE, plays: { judge: turns }, doors: true })
  const run = await house.start()
  const [first, second] = await run.until('answer.reported', 2).then(() => run.all('answer.reported'))
  expect(
    [await run.kept(first!.digest), await run.kept(second!.digest)].map((text) => JSON.parse(text)),
  ).toEqual([poor, good])
  await house.restart()
  expect(await run.end()).toBe('done')
  expect(run.prompts()).toHaveLength(1)
  expect(await run.until('answer.received')).toMatchObject({ via: 'mcp', digest: second!.digest })
})

it.concurrent('is rejected over MCP with the contract and an example, and taken when it is right', async () => {
  const { house, run, end } = await judged(
    [
      [
        { answer: { decision: 'god' }, via: 'mcp' },
        { answer: good, via: 'mcp' },
      ],
    ],
    { doors: true },
  )
  expect(end).toBe('done')
  expect(await run.all('answer.refused')).toEqual([])
  const told = JSON.stringify(house.wire.filter(({ direction }) => direction === 'in'))
  expect(told).toContain('did you mean')
  expect(told).toContain('must be one of: good, poor')
  expect(told).toContain('Your answer is taken')
  expect(run.prompts()[0]).toContain('call the tool `report_outcome`')
})

it.concurrent('is rejected over MCP also where no nudge is left', async () => {
  const runbook = 'steps: { judge: { agent: dev, nudges: 0, options: { good: done, poor: abandoned } } }'
  const wrong = { answer: { decision: 'god' }, via: 'mcp' } as const
  const { end } = await judged([[wrong, { answer: good, via: 'mcp' }]], { doors: true, runbook })
  expect(end).toBe('done')
})

it.concurrent('[D3] of an earlier visit is not taken for this one', async () => {
  const runbook = `
    steps:
      first: { agent: dev, options: { good: second, poor: abandoned } }
      second: { agent: dev, nudges: 1, options: { good: abandoned, poor: done } }
  `
  const again =
    'for f in .signalbox/run/answer-*.json; do cp "$f" "$f.old"; done; cp .vibe/decision.json .vibe/old.json'
  const back = 'for f in .signalbox/run/*.old; do cp "$f" "${f%.old}"; done'
  const { run, end } = await judged([], {
    runbook,
    plays: {
      first: [[{ vibe: poor }, { answer: good, via: 'file' }, { run: again }]],
      second: [[{ run: back }], [{ answer: poor, via: 'file' }]],
    },
  })
  expect(end).toBe('done')
  expect((await run.until('answer.refused')).validity).toBe('missing-file')
})

it.concurrent.each([
  ['not JSON', 'printf "good" > "$F"', 'good'],
  ['empty', ': > "$F"', 'it is empty'],
  ['a link', 'ln -s /etc/hostname "$F"', 'it is a link'],
  ['a pipe', 'mkfifo "$F"', 'it is not a regular file'],
  ['a folder', 'mkdir "$F"', 'it is a folder'],
  ['too large', 'head -c 1100000 /dev/zero > "$F"', 'at most 1048576 are taken'],
])('that is %s is told to the agent as what it is', async (_, command, said) => {
  const { run, end } = await judged([
    [{ run: `F="$SIGNALBOX_ANSWER_FILE"; ${command}` }],
    [{ answer: good, via: 'file' }],
  ])
  expect(end).toBe('done')
  const refused = await run.until('answer.refused')
  expect([refused.validity, refused.given.kind]).toEqual(['invalid-value', 'malformed'])
  expect(run.prompts()[1]).toContain(said)
  expect(run.prompts()[1]).toContain('must be one of: good, poor')
})

it.concurrent('of a panel is each member’s own; what lies where all could write is nobody’s', async () => {
  const runbook = `
    agents: { anna: {}, ben: {}, carl: {} }
    steps:
      judge:
        panel: [anna, ben, { agent: carl, advisory: true }]
        options: { good: done, poor: abandoned }
  `
  const { run, end } = await judged([], {
    runbook,
    doors: true,
    plays: {
      'judge@anna': [[{ vibe: poor }, { answer: good, via: 'mcp' }]],
      'judge@ben': [[{ vibe: poor }, { answer: good, via: 'file' }]],
      'judge@carl': [[{ answer: poor, via: 'message' }]],
    },
  })
  expect(end).toBe('done')
  const given = (await run.all('answer.given')).map(({ member, answer }) => [member, answer.outcome])
  expect(given.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
    [0, 'good'],
    [1, 'good'],
    [2, 'poor'],
  ])
})

it.concurrent('naming a file that is not there is refused, whichever way it came', async () => {
  const runbook = `
    steps:
      judge:
        agent: dev
        options: { good: done, poor: abandoned }
        fields: { report: { type: file, required: true } }
  `
  const naming = (report: string) => ({ decision: 'good', report })
  const { run, house } = await judged(
    [
      [
        { answer: naming('report.md'), via: 'mcp' },
        { answer: naming('../../../../etc/hostname'), via: 'file' },
      ],
      [{ write: { path: 'report.md', text: 'All is well' } }, { answer: naming('report.md'), via: 'mcp' }],
    ],
    { runbook, doors: true },
  )
  const said = '`report` names "report.md", and there is no such file in the worktree'
  expect(JSON.stringify(house.wire)).toContain(JSON.stringify(said).slice(1, -1))
  expect((await run.until('answer.refused')).message).toContain('`report` is missing.')
  expect(run.prompts()[1]).toContain('`report` names "../../../../etc/hostname", and there is no such file')
  expect((await run.until('answer.given')).answer.fields).toEqual({ report: 'report.md' })
})
