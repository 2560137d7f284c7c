import { describe, expect, it } from 'vitest'
import { KeptBytesError } from '../../journal/index.ts'
import { EXIT } from '../exit.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { NOW, openAnsweredInbox } from './answered-inbox.fixture.ts'
import { insights } from './insights.ts'

const MONTH_MS = 30 * 86_400_000

function open() {
  const inbox = openAnsweredInbox()
  const { terminal, out } = openPaper()
  const { operations } = inbox
  const see = (options: { json?: boolean; since?: number } = {}) =>
    insights({ since: MONTH_MS, ...options }, { terminal, operations, now: NOW })
  return { ...inbox, out, see }
}

describe('insights', () => {
  it('[J9] leave out what was proved of a program that somebody changed, and tell the rest', async () => {
    const here = open()
    await here.run('r1')
    const { operations } = here
    operations.kept = (digest) => Promise.reject(new KeptBytesError(digest))
    expect(await here.see()).toBe(EXIT.ok)
    expect(here.out()).toMatch(/^Finished runs: 1$/m)
  })

  it('[J13] leave out what was proved of a program that lacks words which were erased', async () => {
    const here = open()
    await here.run('r1')
    const { operations } = here
    const kept = operations.kept.bind(operations)
    operations.kept = async (digest) => {
      const bytes = await kept(digest)
      return (
        bytes && new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll('"steps"', '"[erased]"'))
      )
    }
    expect(await here.see()).toBe(EXIT.ok)
    expect(here.out()).toMatch(/^Finished runs: 1$/m)
  })

  it('are a page', async () => {
    const here = open()
    await here.answered('redis', { daysAgo: 80 })
    for (const pick of ['sqlite', 'sqlite', 'redis', '']) await here.answered(pick, { daysAgo: 3 })
    await here.answered('sqlite', { by: { kind: 'policy', name: 'p' } })
    await here.run('r1')
    await here.asked()
    expect(await here.see()).toBe(EXIT.ok)
    const page = here.out()
    for (const line of [
      /^Decisions of the last 30d: 7$/m,
      /^ {2}answered by people +5 +71 %$/m,
      /^ {2}answered by policy +1 +14 %$/m,
      /^ {2}still open +1 +14 %$/m,
      /^ {2}time to answer: half within 2 m 00 s, nine of ten within 2 m 00 s$/m,
      /^ +ALL +0–0\.5 +0\.5–0\.7 +0\.7–0\.9 +0\.9–1 +UNSAID$/m,
      /^ {2}all +3\/5 60 % +· +· +2\/4 50 % +· +1\/1 100 %$/m,
      /^ {2}agent helper +2\/4 50 %/m,
      /^ {2}program helper-cli +2\/4 50 %/m,
      /^ {2}model large +2\/4 50 %/m,
      /^Finished runs: 1$/m,
      /people's time a run: half within 30\.0 s, nine of ten within 30\.0 s, 30\.0 s on average$/m,
      /^ {2}test +[0-9a-f]{8} +1 +1\.0 +1 +1$/m,
    ])
      expect(page).toMatch(line)
  })

  it('look as far back as they are told', async () => {
    const here = open()
    await here.answered('redis', { daysAgo: 80 })
    await here.answered('sqlite', { daysAgo: 3 })
    await here.see({ since: 100 * 86_400_000, json: true })
    expect(JSON.parse(here.out())).toMatchObject({
      since: NOW - 100 * 86_400_000,
      decisions: 2,
      calibration: { all: { taken: 1, of: 2 } },
      runs: { finished: 0, questions: [] },
    })
  })

  it('say so where there is nothing to tell', async () => {
    const here = open()
    expect(await here.see()).toBe(EXIT.ok)
    expect(here.out()).toContain('Decisions of the last 30d: 0')
    expect(here.out()).toContain('Nobody answered a decision that came with a recommendation.')
  })
})
