import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallMarks } from './call-marks.ts'
import { readTool } from './session-update.ts'

type Told = Readonly<Record<string, unknown>>

const text = (said: string) => ({ type: 'content', content: { type: 'text', text: said } })
const edit = (newText: string): Told => ({
  content: [{ type: 'diff', path: '/a.txt', oldText: '', newText }],
})
const at = (path: string, line = 1): Told => ({ locations: [{ path, line }] })
const out = (said: string): Told => ({ content: [text(said)] })
const done = { status: 'completed' }

const marks = createCallMarks()
let ids = 0
/** The mark of one call, after all these updates. */
function markOf(...updates: readonly Told[]): string {
  const toolCallId = `t${ids++}`
  return updates.reduce((_, told) => {
    const heard = readTool({ title: 'Writing to a.txt', ...told, toolCallId })!
    return marks(heard, heard.status ?? 'in_progress')
  }, '')
}

describe('[D20] the mark of a call', () => {
  it('is the same where the same was told, and another where anything differs', () => {
    const calls: readonly Told[][] = [
      [edit('a'), done],
      [edit('b'), done],
      [{ ...edit('a'), kind: 'edit' }, done],
      [{ ...edit('a'), ...at('/a.txt') }, done],
      [{ ...edit('a'), ...at('/b.txt') }, done],
      [edit('a'), { ...done, ...out('written') }],
      [edit('a'), { ...done, ...out('failed') }],
      [
        { ...out('npm test'), status: 'pending' },
        { ...done, ...out('2 fail') },
      ],
      [
        { ...out('npm run lint'), status: 'pending' },
        { ...done, ...out('2 fail') },
      ],
      [{ ...done, rawOutput: { stdout: '2 fail' } }],
      [{ ...done, rawOutput: { stdout: '1 fails' } }],
    ]
    const first = calls.map((updates) => markOf(...updates))
    expect(new Set(first).size).toBe(calls.length)
    expect(calls.map((updates) => markOf(...updates))).toEqual(first)
  })

  it('is none where nothing was told', () => {
    expect(markOf({}, done)).toBe('')
  })

  it('is that of the whole output, in however many pieces it came', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (pieces) => {
        const growing = pieces.map((_, nth) => out(pieces.slice(0, nth + 1).join('')))
        expect(markOf({}, ...growing, { ...done, ...out('whole') })).toBe(
          markOf({ ...done, ...out('whole') }),
        )
      }),
    )
  })

  it('minds neither the clock nor what each call is numbered with', () => {
    const took = (time: string, clock: string) => `2 tests fail\nStart at ${clock}\nDuration ${time}`
    expect(markOf(out(took('1.24s', '08:22:40')))).toBe(markOf(out(took('980 ms', '09:01:02.5'))))
    expect(markOf(out('a.ts:12:34 unused'))).not.toBe(markOf(out('a.ts:13:34 unused')))
    const output = (call_id: string, secs: number) => ({
      rawOutput: { call_id, stdout: 'x', duration: { secs, nanos: 7 } },
    })
    expect(markOf(output('1', 2))).toBe(markOf(output('2', 3)))
    const terminal = (terminalId: string) => ({
      kind: 'execute',
      content: [{ type: 'terminal', terminalId }],
    })
    expect(markOf(terminal('1'))).toBe(markOf(terminal('2')))
  })

  it('takes whatever it is told', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (content, locations, rawOutput) => {
        expect(markOf({ content, locations, rawOutput }).length).toBeLessThan(30)
      }),
    )
  })
})
