import { describe, expect, it } from 'vitest'
import { openOperations } from '../../http/doors.fixture.ts'
import { EXIT } from '../exit.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { ps, usageText } from './ps.ts'

describe('signalbox ps', () => {
  it('says that there is nothing, and where to look', async () => {
    const { operations } = openOperations()
    const paper = openPaper()
    expect(await ps({ limit: 50 }, paper.terminal, { operations, isHosted: true })).toBe(EXIT.ok)
    expect(await ps({ limit: 50, all: true }, paper.terminal, { operations, isHosted: true })).toBe(EXIT.ok)
    expect(paper.out()).toContain('Nothing is going on. signalbox ps --all shows what has ended.')
    expect(paper.out()).toContain('No runs yet.')
  })

  it('shows what waits with exit code 3, and what has ended only when asked', async () => {
    const { operations, begin, repo } = openOperations()
    const [one, two] = [await begin(), await begin()]
    await operations.act(two, { kind: 'cancel', reason: '' })
    const paper = openPaper()
    expect(await ps({ limit: 50 }, paper.terminal, { operations, isHosted: true })).toBe(EXIT.waiting)
    const [head, row, ...rest] = paper.out().trimEnd().split('\n')
    expect(rest).toEqual([])
    expect(head).toMatch(/^RUN +RUNBOOK +STATUS +STEP +ISSUE +AGE +USED +REPOSITORY$/)
    expect(row).toMatch(new RegExp(`^${one} +sign-off +waiting +sign_off +· .* · +${repo}$`))
    const all = openPaper()
    await ps({ limit: 50, all: true }, all.terminal, { operations, isHosted: true })
    expect(all.out()).toMatch(new RegExp(`^${two} +sign-off +cancelled`, 'm'))
    const few = openPaper()
    await ps({ limit: 1, all: true, json: true }, few.terminal, { operations, isHosted: true })
    expect(JSON.parse(few.out())).toHaveLength(1)
  })

  it('[V10] says that nobody hosts where something should go on, and what to do', async () => {
    const { operations, begin } = openOperations()
    const run = await begin()
    const paper = openPaper()
    await ps({ limit: 50 }, paper.terminal, { operations, isHosted: false })
    expect(paper.out()).toContain('Nobody hosts: nothing moves until signalbox up, or signalbox attach RUN')
    await operations.act(run, { kind: 'cancel', reason: '' })
    const over = openPaper()
    await ps({ limit: 50, all: true }, over.terminal, { operations, isHosted: false })
    expect(over.out()).not.toContain('Nobody hosts')
  })
})

describe('what was used', () => {
  it.each([
    [{ costUsd: 0, tokens: 0, unpriced: 0 }, '·'],
    [{ costUsd: 1.234, tokens: 5000, unpriced: 0 }, '$1.23'],
    [{ costUsd: 0, tokens: 5000, unpriced: 5000 }, '5000 tokens unpriced'],
    [{ costUsd: 0.5, tokens: 50_000, unpriced: 20_000 }, '$0.50 + 20k tokens unpriced'],
    [{ costUsd: 0, tokens: 12_345_678, unpriced: 0 }, '12.3M tokens'],
    [{ costUsd: 0.001, tokens: 10, unpriced: 0 }, '<$0.01'],
  ])('%j is %s', (usage, text) => {
    expect(usageText(usage)).toBe(text)
  })
})
