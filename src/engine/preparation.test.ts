import { describe, expect, it } from 'vitest'
import { fencedBlock } from '../model/fence.ts'
import { given, type Scene, unstarted } from './given.fixture.ts'
import { briefOf } from './views/brief.ts'
import { questionsOf } from './views/question.ts'

const FLOW = `
  setup: { run: npm ci, on: { failed: { to: mend, max: 1, then: abandoned } } }
  agents: { dev: {} }
  steps:
    build: { agent: dev, gate: npm test, next: done }
    mend: { agent: dev, next: build }
`
const begun = (): Scene => unstarted(given(FLOW).program).start()
const brief = ({ program, state }: Scene) => briefOf(program, state, 0, () => undefined)
const leftBefore = (run: Scene): string => fencedBlock(brief(run).prior!.left)
const cards = ({ program, state }: Scene) => questionsOf(program, state, () => undefined)

describe('what comes before the first step', () => {
  it('[C11][C12] is setup, then the trial; the first agent is told of neither', () => {
    const run = begun()
    expect(run.place).toBe('setup#1')
    expect(run.duties).toMatchObject([{ kind: 'run-check', step: 'setup' }])
    expect(run.check('setup', 0, 'added 1 package').place).toBe('build.trial#1')
    expect(run.check('build.trial', 1, '3 failed').place).toBe('build#1')
    expect(brief(run).prior).toBeNull()
  })

  it('[C11] is told where it went wrong', () => {
    const run = begun().check('setup', 1, 'no network')
    expect(run.place).toBe('mend#1')
    expect(brief(run).prior).toMatchObject({ step: 'setup', outcome: 'failed' })
    expect(leftBefore(run)).toContain('no network')
  })

  it('[C12] asks a person about a gate that cannot even run, with what it printed', () => {
    const run = begun().check('setup', 0).check('build.trial', 127, 'sh: vitest: not found')
    const [card] = cards(run)
    expect(card).toMatchObject({
      headline:
        'build.trial came to "unexpected": The gate of "build" cannot even run before anybody works: sh: vitest: not found',
      detail: 'sh: vitest: not found',
      extras: ['@retry', '@stop'],
    })
    expect(card?.choices.map(({ outcome, option }) => [outcome, option?.label])).toEqual([
      ['expected', 'Go on all the same'],
    ])
  })

  it('[C12] knows by what it printed that it cannot run, whatever code its starter ends with', () => {
    const run = begun().check('setup', 0).check('build.trial', 1, 'npm error Missing script: "test"')
    expect(cards(run)[0]?.headline).toContain(
      'cannot even run before anybody works: npm error Missing script',
    )
    expect(begun().check('setup', 0).check('build.trial', 1, 'FAIL: 2 of 3').place).toBe('build#1')
  })

  it('[C12] goes on where a person says so, and the agent is told what they said', () => {
    const run = begun().check('setup', 0).check('build.trial', 126)
    run.person({ trial: 'expected' }, { note: 'Write the script first.' })
    expect(run.place).toBe('build#1')
    expect(brief(run).prior?.step).toBe('build.trial')
    expect(leftBefore(run)).toContain('Write the script first.')
    expect(leftBefore(run)).toContain('by person "alice" at "build.trial"')
  })

  it('[C12] is told to the step that the flow leads a surprise to', () => {
    const flow = `
      on: { failed: mend }
      agents: { dev: {} }
      steps:
        build: { agent: dev, gate: npm test, next: done }
        mend: { agent: dev, next: done, on: { failed: abandoned } }
    `
    const run = unstarted(given(flow).program).start().check('build.trial', 127, 'npm: not found')
    expect(run.place).toBe('mend#1')
    expect(brief(run).prior).toMatchObject({ step: 'build.trial', outcome: 'unexpected' })
    expect(leftBefore(run)).toContain('npm: not found')
  })

  it('[C12] can be tried again and stopped', () => {
    const run = begun().check('setup', 0).check('build.trial', 127)
    expect(run.person('@retry').place).toBe('build.trial#2')
    expect(run.check('build.trial', 127).person('@stop').place).toBe('ended: abandoned')
  })
})
