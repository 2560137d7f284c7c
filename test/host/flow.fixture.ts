/**
 * The flow `issue-to-commit` on a sample project: a real host, the real `signalbox` command in its gates, checks and judge, and agents
 * that play from scripts. What a test says nothing of is played the shortest way through.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { vi } from 'vitest'
import type { ScriptAction } from '../../src/drivers/scripted/script.ts'
import type { Program } from '../../src/model/program.ts'
import { compileSource } from '../../src/runbook/compile.ts'
import { type House, type HouseOptions, houses, type Plays } from './host.fixture.ts'
import type { RunInHouse } from './run.fixture.ts'

const FLOW = 'flows/issue-to-commit.yaml'

/** The shipped flow, with other commands where a test wants to see what lies behind them. */
export function flowProgram(
  change: (text: string) => string = (text) => text,
  /** What is told to agents beside its prompts, by the name of the prompt. */
  more: Readonly<Record<string, string>> = {},
): Program {
  const { program, diagnostics } = compileSource(
    { file: FLOW, text: change(readFileSync(FLOW, 'utf8')) },
    (name) => {
      const file = join(dirname(FLOW), name)
      const added = more[basename(name, '.md')]
      return {
        kind: 'text',
        file,
        text: readFileSync(file, 'utf8') + (added === undefined ? '' : `\n${added}`),
      }
    },
  )
  if (program === null) throw new Error(JSON.stringify(diagnostics))
  return program
}

/** Some sixty processes for a whole run. */
const PATIENCE_MS = 280_000
vi.setConfig({ testTimeout: 300_000 })

/** How it ended; the story of one that ended otherwise is told. */
export async function expectEnd(run: RunInHouse, wanted: string): Promise<void> {
  const end = await vi.waitFor(
    async () => {
      const [ended] = await run.all('run.ended')
      if (ended === undefined)
        throw new Error((await run.all('visit.entered')).map(({ step }) => step).join(' → '))
      return ended.end
    },
    { timeout: PATIENCE_MS, interval: 100 },
  )
  if (end === wanted) return
  const story = (await run.events()).map((event) => JSON.stringify(event).slice(0, 600))
  throw new Error(`ended as ${end}, not as ${wanted}:\n${story.slice(-25).join('\n')}`)
}

export const write = (path: string, text: string): ScriptAction => ({ write: { path, text } })
export const says = (answer: object): ScriptAction => ({ answer, via: 'file' })
const paper = (name: string, text: string): ScriptAction => write(`.signalbox/run/${name}`, text)

export interface SampleTask {
  readonly title: string
  readonly files: readonly string[]
  readonly depends_on?: readonly number[]
}

const taskEntry = (task: SampleTask): object => ({
  description: `What "${task.title}" is about.`,
  criteria: [`${task.title} works`],
  context: `See ${task.files.join(', ')}.`,
  contracts: 'None',
  plan: 'A part of the plan.',
  tests: 'A unit test.',
  ...task,
})

export const plan = (text: string): readonly ScriptAction[] => [
  paper('plan.md', `# Plan\n\n${text}\n`),
  says({ handoff: { summary: text } }),
]

export const split = (
  tasks: readonly SampleTask[],
  scaffold: 'yes' | 'no' = 'no',
): readonly ScriptAction[] => [
  paper('tasks.json', JSON.stringify(tasks.map(taskEntry))),
  says({
    handoff: {
      size: tasks.length === 1 ? 'one' : 'several',
      title: tasks[0]!.title,
      files: tasks[0]!.files,
      scaffold,
    },
  }),
]

export const verdict = (chosen: string, more: object = {}): readonly ScriptAction[] => [
  says({ verdict: chosen, ...more }),
]

/** All who are not spoken of agree, and nothing is left to be filed. */
const SHORTEST: Plays = {
  plan: [plan('Do what the issue asks for.')],
  review_plan: [verdict('acceptable')],
  review_split: [verdict('acceptable')],
  final_review: [verdict('acceptable')],
  follow_ups: [[says({ left: 'nothing' })]],
  criteria: [[says({ met: ['1'] })]],
}

export interface FlowHouse extends HouseOptions {
  readonly plays: Plays
  /** What runs the tests of the project. */
  readonly test: string
}

/** Call it where tests are declared. */
export function flowHouses(): (options: Omit<FlowHouse, 'runbook'>) => Promise<House> {
  const openHouse = houses()
  return ({ plays, test, ...options }) =>
    openHouse({
      runbook: 'steps: { none: { check: "true", next: done } }',
      ownCommand: resolve('bin/signalbox'),
      commandsFor: () => ({ test: { run: test, needs: [] } }),
      ...options,
      // The first that fits is played: what a test says of a visit or a member comes before what it says of the step.
      plays: Object.fromEntries(
        [...Object.entries(plays), ...Object.entries(SHORTEST)]
          .sort(([a], [b]) => Number(/[#@]/.test(b)) - Number(/[#@]/.test(a)))
          .filter(([place, _], index, all) => all.findIndex(([other]) => other === place) === index),
      ),
    })
}

export const issue = (title: string, { status = 'Todo', criteria = 1, more = '' } = {}): string =>
  [
    '---',
    `title: ${title}`,
    `status: ${status}`,
    `${more}---`,
    '',
    `${title}, please.`,
    '',
    '## Acceptance criteria',
    '',
    ...Array.from({ length: criteria }, (_, index) => `- [ ] Criterion ${index + 1}`),
    '',
  ].join('\n')

/** What became of the tracker, on the branch that keeps it. */
export const tracked = ({ repo }: House, path: string): string => repo.git('show', `signalbox/issues:${path}`)
