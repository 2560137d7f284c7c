/** What agents are told. */
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'

const openHouse = houses()
const answer = (value: object) => [[{ answer: value, via: 'file' }]] as const
const FILES = {
  'a.txt': 'a\n',
  'docs/rules.md': 'Mind the gap.',
  '.signalbox/issues/7.md':
    '---\ntitle: Signs are lost\nstatus: Todo\nlabels: [bug]\n---\nThe last sign is dropped.\n',
}

it.concurrent('looks up the issue, the run, variables and files, in prompts and in commands', async () => {
  const house = await openHouse({
    files: FILES,
    runbook: `
      vars: { issue: { required: true }, tone: calm }
      agents:
        dev:
          prompt: 'You are \${agent.name}, \${var.tone}.'
          writes: ['src/**']
          prime: { startup: "echo primed for \${issue.title} in \${run.branch}; exit 3" }
      steps:
        develop:
          agent: dev
          prompt: |-
            Issue \${issue.id} (\${var.issue}, \${issue.status}): \${issue.title}
            Rules: \${file("docs/rules.md")} Nothing: \${file("../outside.md") ?? "no file"}
            Base \${run.base}, dir \${run.dir}, id \${run.id}
          next: done
    `,
    plays: { develop: [[{ say: 'FINISHED' }]] },
  })
  const run = await house.start({ issue: '7' })
  expect(await run.end()).toBe('done')
  const { placement } = await run.until('run.placed')
  const [brief] = run.prompts()
  for (const part of [
    'You are dev, calm.',
    'Issue 7 (7, Todo): `Signs are lost`',
    'The last sign is dropped.',
    'Rules: `Mind the gap.` Nothing: no file',
    `Base ${placement.baseCommit}, dir ${run.work.dir}/.signalbox/run, id ${run.id}`,
    `primed for Signs are lost in ${placement.branch}`,
    '(the command that gives this context ended with exit code 3)',
    `Worktree: ${run.work.dir} (branch ${placement.branch})`,
    'You may change only: src/**.',
    'Nothing but the work is asked: end your turn when it is done.',
  ])
    expect(brief).toContain(part)
})

it.concurrent('carries feedback, notes, findings and handoffs to the next one, and says where each answer leads', async () => {
  const house = await openHouse({
    runbook: `
      handoffs: { plan: { fields: { summary: { type: text, required: true }, parts: { type: list, required: true } } } }
      steps:
        plan: { agent: dev, gives: plan, next: develop }
        develop: { agent: dev, prompt: 'Parts: \${steps.plan.parts}', next: review }
        review:
          agent: dev
          asks: verdict
          options:
            approve: { say: Correct and tested, to: done, recommended: true }
            reject: { to: develop, max: 2, then: abandoned }
          fields: { feedback: { type: text, required_for: [reject] }, found: findings }
          settle_on: found
    `,
    plays: {
      plan: answer({ notes: 'Careful with tabs.', handoff: { summary: 'Two parts', parts: ['one', 'two'] } }),
      develop: [[{ say: 'FINISHED' }]],
      'review#1': answer({
        verdict: 'reject',
        feedback: 'No test of the end',
        notes: 'Otherwise fine',
        found: [{ title: 'Leaks a handle', file: 'src/code.ts' }],
      }),
      review: answer({ verdict: 'approve' }),
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const [, first, review, second, again] = run.prompts()
  expect(first).toContain('### plan (version 1) from "plan", visit 1: full')
  expect(first).toContain('summary: Two parts')
  expect(JSON.parse(/```json plan by agent "dev" at "plan"\n([\s\S]*?)\n```/.exec(first!)![1]!)).toEqual({
    summary: 'Two parts',
    parts: ['one', 'two'],
  })
  expect(first).toContain('Careful with tabs.')
  expect(first).toContain('```parts by agent "dev" at "plan"\n- one\n- two')
  expect(review).toContain('- `approve` (recommended): Correct and tested → done')
  expect(review).toMatch(/- `reject` → develop.*2.*abandoned/)
  expect(review).toContain('`feedback` (text) is needed with reject.')
  for (const part of [
    '"review" ended as reject',
    'feedback:\nNo test of the end',
    'Notes:\nOtherwise fine',
    'Leaks a handle',
  ])
    expect(second).toContain(part)
  expect(again).toContain('Say of each, by its id, whether it is fixed.')
  expect(again).toContain('- F1 [major] Leaks a handle (src/code.ts)')
})

it.concurrent('[W6] keeps what an agent puts aside, under its name and content, and not in the commit', async () => {
  const house = await openHouse({
    runbook: 'steps: { first: { agent: dev, next: second }, second: { agent: dev, next: done } }',
    plays: {
      first: [[{ write: { path: '.signalbox/run/notes/plan.md', text: 'One' } }]],
      second: [
        [
          { write: { path: '.signalbox/run/notes/plan.md', text: 'Two' } },
          { run: 'ln -s /etc .signalbox/run/link' },
        ],
      ],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const kept = await run.all('artifact.kept')
  expect(kept.map(({ step, name }) => [step, name])).toEqual([
    ['first', 'notes/plan.md'],
    ['second', 'notes/plan.md'],
  ])
  expect(await Promise.all(kept.map(({ digest }) => run.kept(digest)))).toEqual(['One', 'Two'])
  expect((await run.until('host.noted')).text).toBe('artifact link was not kept: it is a link')
  expect(run.work.git('diff', '--name-only', 'main', 'HEAD')).toBe('')
})

it.concurrent('[A24] tells a program that is started anew for each prompt all of it each time', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n', 'agent.sh': 'cat > /dev/null; date >> a.txt; echo "Done."\n' },
    programFor: (_, scripted) => ({ ...scripted, driver: 'command', argv: ['sh', 'agent.sh'] }),
    runbook: `
      agents: { dev: { prompt: You are a careful developer., prime: { startup: echo Mind the gap. } } }
      steps:
        develop: { agent: dev, prompt: Paint it green., gate: { run: 'test $(wc -l < a.txt) -ge 3', expect: none, max: 2 }, next: done }
    `,
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const prompts = await Promise.all((await run.all('agent.prompted')).map(({ digest }) => run.kept(digest)))
  expect(prompts).toHaveLength(2)
  for (const prompt of prompts)
    for (const part of ['You are a careful developer.', 'Paint it green.', 'Mind the gap.', 'Worktree: '])
      expect(prompt).toContain(part)
  expect(prompts[0]).not.toContain('the gate failed')
  expect(prompts[1]).toContain('You said you were done, but the gate failed with exit code 1.')
})
