/** What keeps a run from starting is told before anything is spent. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'

const openHouse = houses()
const FLOW = 'steps: { work: { agent: dev, next: done } }'

it.concurrent('a checkout that is not in order', async () => {
  const house = await openHouse({ runbook: FLOW })
  const bare = join(house.repo.dir, '../bare.git')
  house.repo.git('clone', '-q', '--bare', '.', bare)
  expect(await house.problems({ dir: bare })).toEqual([expect.stringContaining('is a bare repository')])
  expect(await house.problems({ dir: join(house.repo.dir, 'nowhere') })).toEqual([
    expect.stringContaining('There is no folder'),
  ])
  expect(await house.problems({ base: 'mian' })).toEqual([expect.stringContaining('did you mean "main"?')])
  house.repo.write('a.txt', 'changed\n')
  expect(await house.problems()).toEqual([expect.stringContaining('not committed: a.txt')])
  house.repo.git('checkout', '-q', '--', 'a.txt')
  house.repo.git('checkout', '-q', '--detach')
  expect(await house.problems()).toEqual([expect.stringMatching(/HEAD is detached.*--base/)])
  expect(await house.host().journal.count('run', 'open')).toBe(0)
})

it.concurrent('an issue that is missing or must wait for another', async () => {
  const house = await openHouse({
    runbook: FLOW,
    files: {
      '.signalbox/issues/1.md': '---\ntitle: First\nstatus: Todo\n---\n',
      '.signalbox/issues/2.md': '---\ntitle: Second\nstatus: Todo\ndepends-on: [1]\n---\n',
    },
  })
  expect(await house.problems({ issue: '2' })).toEqual([
    expect.stringContaining('2 depends on what is not done: 1 is Todo. (dependency-unmet)'),
  ])
  expect(await house.problems({ issue: '9' })).toHaveLength(1)
})

it.concurrent('a program that is not there, or that nobody named', async () => {
  const house = await openHouse({
    runbook: `
      agents: { dev: { use: codex }, check: { use: nobody }, plain: {} }
      steps: { work: { panel: [dev, check, plain], next: done } }
    `,
    programFor: (use, scripted) =>
      use === 'codex'
        ? { ...scripted, driver: 'acp', argv: ['no-such-program'], install: 'npm i codex' }
        : null,
  })
  const problems = await house.problems()
  expect(problems).toHaveLength(3)
  expect(problems[0]).toContain(
    '`use: codex` is served by "no-such-program", which is not installed. To get it: npm i codex',
  )
  expect(problems[1]).toContain('No program is configured for `use: nobody`')
  expect(problems[2]).toContain('No coding agent was found for `use: default`')
})

it.concurrent('[L22] a command that the project does not have', async () => {
  const house = await openHouse({
    runbook: `
      setup: '\${run.setup ?? "true"}'
      steps:
        work: { agent: dev, prompt: 'Run \${run.lint}', gate: '\${run.test}', next: build }
        build: { check: '\${run.build}', next: done }
    `,
    files: { 'Cargo.toml.txt': '', 'package.json': '{"scripts":{"build":"x"}}' },
  })
  expect(await house.problems()).toEqual([
    expect.stringMatching(
      /looks up \$\{run\.(?:lint|test)\}.* package\.json says of none\. Say it in \.signalbox\/config\.yaml: commands: \{ (?:lint|test): "…" \}/,
    ),
    expect.stringMatching(/run\.(?:lint|test)/),
  ])
})

it.concurrent('a variable that is missing or unknown', async () => {
  const house = await openHouse({ runbook: `vars: { goal: { required: true } }\n${FLOW}` })
  expect(await house.problems()).toEqual([expect.stringContaining('needs the variable "goal"')])
  expect(await house.problems({ vars: { gaol: 'x', other: 'y' } })).toEqual([
    'test has no variable "gaol"; did you mean "goal"?',
    'test has no variable "other".',
    'test needs the variable "goal". To give it: --var goal=VALUE',
  ])
  house.repo.git('checkout', '-q', '--detach')
  expect(await house.problems()).toEqual([
    expect.stringContaining('HEAD is detached'),
    expect.stringContaining('needs the variable "goal"'),
  ])
})

it.concurrent('[X6] a sandbox that is required, and cannot be made here', async () => {
  const house = await openHouse({ runbook: FLOW, engine: null, rules: { use: 'required' } })
  expect(await house.problems()).toEqual([expect.stringContaining('A sandbox is required here')])
})
