import { describe, expect, it } from 'vitest'
import { lossIn, signedByRun, whyNotByRun } from './run-change.ts'

const ISSUE = `---
title: Mend the parser
status: Todo
---
It loses blanks.
So titles run together.
Nobody sees why.

- [ ] A test shows it
- [ ] It is mended

## Comments

### 2026-05-08 13:02 UTC, anna

> Not before May.
`
const path = '.signalbox/issues/7.md'
const why = (after: string, before: string | null = ISSUE) => whyNotByRun({ path, before, after })

describe('a run', () => {
  it.each([
    ['nothing', ISSUE],
    ['its status', ISSUE.replace('Todo', 'Done')],
    ['a ticked box', ISSUE.replaceAll('[ ]', '[x]')],
    ['a line more', ISSUE.replace('Nobody sees why.', 'Nobody sees why.\nNow I do.')],
    ['some other words', ISSUE.replace('Nobody sees why.', 'It splits at tabs.')],
    ['a comment more', `${ISSUE}\n### 2026-05-09, run r1\n\n> Done.\n`],
  ])('[Q32] may change %s of an issue', (_what, after) => {
    expect(why(after)).toBeNull()
  })

  it.each([
    ['empties it', '', /no longer be read|gone/],
    ['leaves nothing but its front matter', ISSUE.slice(0, ISSUE.indexOf('It loses')), /gone/],
    ['breaks it', ISSUE.replace('title: Mend', 'title: [Mend'), /no longer be read/],
    ['empties its text', ISSUE.replace(/It loses[\s\S]*?mended\n/, ''), /more than half/],
    [
      'writes all of it anew',
      ISSUE.replace(/It loses[\s\S]*?mended\n/, 'lorem ipsum\n'.repeat(12)),
      /most of its lines/,
    ],
    ['changes what somebody said', ISSUE.replace('Not before', 'Please before'), /comment of anna/],
    ['takes a comment away', ISSUE.replace(/### 2026[\s\S]*/, ''), /comment of anna/],
    ['gives a comment to another', ISSUE.replace('anna', 'bob'), /comment of anna/],
    ['hides the comments behind others', `${ISSUE}\n## Comments\n`, /comment of anna/],
    ['turns its comments into code', ISSUE.replace('## Comments', '```\n## Comments'), /comment of anna/],
  ])('[Q32] may not: %s', (_what, after, problem) => {
    expect(why(after)).toMatch(problem)
  })

  it('[Q32] may write a new issue, and a person may be told what is lost', () => {
    expect(why('anything', null)).toBeNull()
    expect(lossIn({ path, before: ISSUE, after: ISSUE.replace('Not before', 'Please before') })).toBeNull()
    expect(lossIn({ path, before: ISSUE, after: ISSUE.slice(0, 30) })).not.toBeNull()
  })
})

describe('a comment that a run adds', () => {
  const signed = (added: string, before: string | null = ISSUE) =>
    signedByRun({ path, before, after: `${ISSUE}${added}` }, 'r1')

  it('[Q31] bears the name of the run, whatever name stands over it', () => {
    expect(signed('\n### 2026-05-09 10:00 UTC, anna\n\n> Ship it.\n')).toBe(
      `${ISSUE}\n### 2026-05-09 10:00 UTC, run r1 (signed "anna")\n\n> Ship it.\n`,
    )
    expect(signed('\n### anna\n> Ship it.\n')).toContain('\n### run r1 (signed "anna")\n')
    expect(signed('\r\n### 2026-05-09,  anna\r\n> Ship it.\r\n')).toContain('run r1 (signed "anna")\r\n')
    expect(signed('\n### 2026-05-08 13:02 UTC, anna\n\n> Not before June.\n')).toContain(
      '13:02 UTC, anna\n\n> Not before May',
    )
  })

  it('[Q31] is left alone where it has that name, and so is all that was there', () => {
    const own = '\n### 2026-05-09, run r1\n\n> Done.\n'
    expect(signed(own)).toBe(`${ISSUE}${own}`)
    expect(signed('')).toBe(ISSUE)
  })

  it('[Q31] also in an issue that is new', () => {
    expect(signed('', null)).toContain('### 2026-05-08 13:02 UTC, run r1 (signed "anna")\n')
  })
})
