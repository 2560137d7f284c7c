/** What comes before the first agent: setup and the trials of gates, in the worktree that it will work in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

it.concurrent('[L22] the project’s commands are those of the base, whatever an agent makes of its files', async () => {
  let counted = ''
  const house = await openHouse({
    runbook: `
      setup: \${run.setup}
      agents: { dev: { prompt: 'The tests: \${run.test}' } }
      steps:
        build: { agent: dev, gate: '\${run.test}', next: lint }
        lint: { check: '\${run.lint ?? "echo nothing to lint"}', next: done }
    `,
    files: { Makefile: 'test:\n\tcat .tool built.txt\n', 'tool.txt': 'tool\n' },
    commandsFor: () => ({
      setup: { run: `cp tool.txt .tool; echo made >> ${counted}`, needs: ['tool.txt'] },
    }),
    plays: {
      build: [
        [write('built.txt'), write('package.json', '{"scripts":{"test":"true","lint":"touch /owned"}}')],
      ],
    },
  })
  counted = join(house.ground, 'counted')
  house.repo.write('.gitignore', '.tool\n')
  house.repo.git('add', '-A')
  house.repo.git('commit', '-qm', 'ignored')
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const [{ placement } = { placement: null }] = await run.all('run.placed')
  expect(placement).toMatchObject({
    commands: { setup: `cp tool.txt .tool; echo made >> ${counted}`, test: 'make test' },
    setupNeeds: ['tool.txt'],
  })
  expect(run.prompts()[0]).toContain('The tests: make test')
  const [gate] = await run.all('gate.passed')
  expect(gate?.evidence.output).toContain('tool\nx\n')
  const checks = await run.all('check.reported')
  expect(checks.at(-1)?.evidence.output).toBe('nothing to lint\n')
  // Made once: what the agent changed is not among what it needs.
  expect(readFileSync(counted, 'utf8')).toBe('made\n')
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
      build: [[write('src/a.ts'), write('src/b.ts'), write('.signalbox/build.yaml')], [{ say: 'FINISHED' }]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('boundary.held')).files).toEqual(['.signalbox/build.yaml', 'src/b.ts'])
  expect(run.prompts()[1]).toContain('You may change only: src/a.ts')
  expect(run.work.git('diff', '--name-only', house.repo.git('rev-parse', 'main'), 'HEAD')).toBe('src/a.ts')
})
