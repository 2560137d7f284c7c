/** What comes before the first agent: setup and the trials of gates, in the worktree that it will work in. */
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'

const openHouse = houses()
const write = (path: string, text = 'x\n') => ({ write: { path, text } })

it.concurrent('[C11] setup runs in the fresh worktree, command by command, and the gate is tried there', async () => {
  const house = await openHouse({
    runbook: `
      setup: { run: ['cd /; cd -; echo tool > .tool # made', 'cat .tool > .made', 'echo .tool >> .gitignore; echo .made >> .gitignore'] }
      steps: { build: { agent: dev, gate: 'test -f .made && test -f built.txt', next: done } }
    `,
    plays: { build: [[write('built.txt')]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.all('visit.left')).map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'setup done',
    'build.trial expected',
    'build done',
  ])
  expect((await run.all('check.reported')).map(({ evidence }) => evidence.exitCode)).toEqual([0, 1])
  expect(run.prompts()).toHaveLength(1)
  expect(run.prompts()[0]).not.toContain('trial')
})

it.concurrent('[C11] setup ends with the first command that fails, with its code, before anybody is paid', async () => {
  const house = await openHouse({
    runbook: `
      setup: { run: [echo first, 'echo second >&2; (exit 7)', touch third], on: { failed: abandoned } }
      steps: { build: { agent: dev, next: done } }
    `,
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  const { evidence } = await run.until('check.reported')
  expect([evidence.exitCode, evidence.output]).toEqual([7, 'first\nsecond\n'])
  expect(run.work.has('third')).toBe(false)
  expect(run.prompts()).toEqual([])
})

it.concurrent('[C12] a gate that is not there asks a person before an agent is paid, and goes on when told to', async () => {
  const house = await openHouse({
    runbook: "steps: { build: { agent: dev, gate: './check.sh', next: done } }",
    plays: { build: [[{ run: 'printf "#!/bin/sh\\n" > check.sh; chmod +x check.sh' }]] },
  })
  const run = await house.start()
  const { headline, detail, choices } = await run.question()
  expect(headline).toMatch(/The gate of "build" cannot even run before anybody works: .*check\.sh/)
  expect(detail).toContain('check.sh')
  expect(choices.map(({ outcome }) => outcome)).toEqual(['expected'])
  expect(run.prompts()).toEqual([])
  await run.answer({ trial: 'expected' })
  expect(await run.end()).toBe('done')
})

it.concurrent('[A16] an agent is held to the files that a handoff names', async () => {
  const task = (files: string[]) => ({ answer: { handoff: { files } }, via: 'file' }) as const
  const house = await openHouse({
    runbook: `
      agents: { lead: { writes: [] }, dev: { writes: '\${steps.task.files}' } }
      handoffs: { task: { fields: { files: { type: list, required: true } } } }
      steps:
        task: { agent: lead, gives: task, next: build }
        build: { agent: dev, next: done }
    `,
    plays: {
      task: [[task(['src/a.ts', '../out.txt', '.signalbox/**'])]],
      build: [[write('src/a.ts'), write('src/b.ts'), write('.signalbox/build.yaml')], [{ say: 'Done.' }]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('boundary.held')).files).toEqual(['.signalbox/build.yaml', 'src/b.ts'])
  expect(run.prompts()[1]).toContain('You may change only: src/a.ts')
  expect(run.work.git('diff', '--name-only', house.repo.git('rev-parse', 'main'), 'HEAD')).toBe('src/a.ts')
})
