/** The shipped flow with a real agent program in every role, held by the sandbox as users have it; only its model is scripted. */
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { installedAgent } from '../../scripts/install-agents.ts'
import type { ScriptedStep } from '../../src/drivers/scripted-model/script.ts'
import { scriptText } from '../../src/drivers/scripted-model/script.ts'
import { expectEnd, flowProgram, issue, tracked } from '../host/flow.fixture.ts'
import { houses } from '../host/host.fixture.ts'
import { AGENTS } from './programs.ts'
import { onStage } from './stage.fixture.ts'

const openHouse = houses()
const agent = AGENTS.find(({ name }) => installedAgent(name) !== null)

const FILES = {
  'package.json': '{ "name": "sample", "type": "module" }\n',
  'src/greet.js': 'export const greet = (name) => `Hello ${name}`\n',
  'TODO/1.md': issue('Refuse empty names'),
}
const TEST =
  "import { throws } from 'node:assert'\nimport { test } from 'node:test'\nimport { greet } from '../src/greet.js'\ntest('refuses an empty name', () => throws(() => greet(''), RangeError))\n"
const CODE =
  "export const greet = (name) => {\n  if (name === '') throw new RangeError('name is empty')\n  return 'Hello ' + name\n}\n"
const TASK = {
  title: 'Refuse an empty name',
  description: 'greet must refuse it.',
  criteria: ['greet throws a RangeError'],
  files: ['src/greet.js'],
  context: 'See src/greet.js.',
  contracts: 'None',
  plan: 'All of it.',
  tests: 'A unit test.',
}

/** By a shell: every agent has one. Without `$(…)`, which gemini refuses. */
const saved = (path: string, text: string): ScriptedStep => ({
  shell: `mkdir -p "${dirname(path)}" && printf %s ${Buffer.from(text).toString('base64')} | base64 -d > ${path}`,
})
const reports = (answer: object): ScriptedStep => ({ call: 'report_outcome', with: answer })
const script = (...steps: readonly ScriptedStep[]): string =>
  scriptText([{ do: [...steps, { say: 'FINISHED' }] }])

const SCRIPTS = {
  plan: script(
    saved('.signalbox/run/plan.md', 'Refuse it.\n'),
    reports({ handoff: { summary: 'Refuse it.' } }),
  ),
  'review-plan': script(reports({ verdict: 'acceptable' })),
  split: script(
    saved('.signalbox/run/tasks.json', JSON.stringify([TASK])),
    reports({ handoff: { size: 'one', title: TASK.title, files: TASK.files, scaffold: 'no' } }),
  ),
  'write-tests': script(
    saved('test/greet.test.js', TEST),
    reports({ state: 'ready', tests: ['refuses an empty name'], failure: 'Missing expected exception' }),
  ),
  implement: script(saved('src/greet.js', CODE), reports({ decision: 'complete' })),
  'final-review': script(reports({ verdict: 'acceptable' })),
  'follow-ups': script(reports({ left: 'nothing' })),
  criteria: script(reports({ met: ['1'] })),
}

it.skipIf(agent === undefined)(`issue-to-commit, from end to end with ${agent?.name ?? 'no agent'}`, () =>
  onStage(agent!, openHouse, async ({ open, model }) => {
    const house = await open({
      runbook: 'steps: { none: { check: "true", next: done } }',
      more: {
        files: FILES,
        ownCommand: resolve('bin/signalbox'),
        commandsFor: () => ({ test: { run: 'node --test', needs: [] } }),
      },
    })
    const { host } = new URL(model.url)
    const program = flowProgram((text) => text.replace('network: [', `network: ["${host}", `), SCRIPTS)
    const run = await house.start({ program, vars: { issue: '1' } })
    await expectEnd(run, 'done')
    expect(tracked(house, 'TODO/1.md')).toContain('status: Done')
    expect(run.work.git('diff', '--name-only', 'main', 'HEAD').split('\n').sort()).toEqual([
      'src/greet.js',
      'test/greet.test.js',
    ])
    for (const { confined } of await run.all('session.opened')) expect(confined).toBe('bubblewrap')
  }),
)
