import { describe, expect, it } from 'vitest'
import type { Boundary } from '../../model/boundary.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { ALICE, keepRuns, loadedOf, programOf } from '../runs/runs.fixture.ts'
import { judgeWrites } from '../workspace/boundary.ts'
import { boundaryNow, boundaryOfAbandoned } from './boundary.ts'

describe('the boundary of a panel', () => {
  const judging = (anna: string, ben: string): Promise<LoadedRun> =>
    keepRuns(
      programOf(`
        vars: { all: "**", each: "**/*" }
        agents: { anna: { writes: ${anna} }, ben: { ${ben === '' ? '' : `writes: ${ben}`} } }
        steps: { judge: { panel: [anna, ben], options: { good: done, poor: abandoned } } }
      `),
    ).begin('r')
  const files = ['.git/config', '.signalbox/build.yaml', 'src/a.ts', 'docs/x.md']
  const outside = async (anna: string, ben: string): Promise<string[]> =>
    judgeWrites({ files, boundary: boundaryNow(await judging(anna, ben)) })

  it('[A17] keeps what is private out of every look-up of its members', async () => {
    expect(await outside('"${var.all}"', '"${var.each}"')).toEqual(['.git/config', '.signalbox/build.yaml'])
  })

  it('[A20] is what one of its members may write, and anything where one may write anything', async () => {
    expect(await outside('["src/**"]', '["!docs/**", "!.*/**"]')).toEqual([
      '.git/config',
      '.signalbox/build.yaml',
      'docs/x.md',
    ])
    expect(await outside('["docs/**"]', '["!docs/**", "!.*/**"]')).toEqual([
      '.git/config',
      '.signalbox/build.yaml',
    ])
    expect(await outside('[]', '')).toEqual([])
  })
})

describe('what may be written in a visit', () => {
  const PROGRAM = programOf(`
    vars: { area: src }
    agents: { dev: { writes: ["\${var.area}/**"] }, check: { writes: [] } }
    steps: { build: { agent: dev, next: review }, review: { agent: check, next: done } }
  `)
  const prompted = async (facts: readonly { readonly boundary?: Boundary }[]) => {
    const { runs, begin } = keepRuns(PROGRAM)
    await begin('r')
    const prompt = { type: 'agent.prompted', at: 1, step: 'build', visit: 1, member: 0, digest: 'd' } as const
    const told = facts.map((fact) => ({ ...prompt, ...fact }))
    const working = loadedOf(await runs.execute('r', [{ type: 'run.record', at: 1, facts: told }]))
    const move = { type: 'run.move', at: 2, to: 'review', by: ALICE, reason: 'enough' } as const
    return { working, moved: loadedOf(await runs.execute('r', [move])) }
  }

  it('[A16] is what it was with the first prompt, also for what is left of the visit when the run has moved on', async () => {
    const { working, moved } = await prompted([{ boundary: [['lib/**']] }, { boundary: [['late/**']] }, {}])
    expect(boundaryNow(working)).toEqual([['lib/**']])
    expect(boundaryOfAbandoned(moved, moved.abandoned!)).toEqual([['lib/**']])
    expect(boundaryNow(moved)).toEqual([[]])
  })

  it('is anything where that was kept', async () => {
    const { working, moved } = await prompted([{ boundary: null }])
    expect(boundaryNow(working)).toBe(null)
    expect(boundaryOfAbandoned(moved, moved.abandoned!)).toBe(null)
  })

  it('is looked up as the record is now where a journal of before did not keep it', async () => {
    const { working, moved } = await prompted([{}])
    expect(boundaryNow(working)).toEqual([['src/**']])
    expect(boundaryOfAbandoned(moved, moved.abandoned!)).toEqual([['src/**']])
  })
})
