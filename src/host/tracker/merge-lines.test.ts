import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markSize, mergedLines, resolvedText } from './merge-lines.ts'

const merged = (base: string, ours: string, theirs: string): string | null =>
  mergedLines({ base: base.split(''), ours: ours.split(''), theirs: theirs.split('') })?.join('') ?? null

describe('[W23] lines that two sides changed at one place', () => {
  it.each([
    // base, ours, theirs, merged
    ['', 'ab', 'cd', 'abcd'],
    ['ab', 'abx', 'aby', 'abxy'],
    ['ab', 'zb', 'aby', 'zby'],
    ['ab', 'abx', 'zb', 'zbx'],
    ['ab', 'xab', 'zb', 'xzb'],
    ['abc', 'Abc', 'abC', 'AbC'],
    ['abc', 'Abc', 'aBC', 'ABC'],
    // What was brought over before stands once.
    ['', 'B', 'AB', 'AB'],
    ['', 'BX', 'AB', 'ABX'],
    ['', 'ABX', 'BX', 'ABX'],
    ['', 'AB', 'BX', 'ABX'],
  ])('%j: %j and %j give %j', (base, ours, theirs, expected) => {
    expect(merged(base, ours, theirs)).toBe(expected)
  })

  it.each([
    ['a', 'b', 'c'],
    ['ab', 'xb', 'yb'],
    ['ab', 'x', 'y'],
    ['ab', '', 'xy'],
  ])('%j: %j and %j contradict each other', (base, ours, theirs) => {
    expect(merged(base, ours, theirs)).toBeNull()
  })

  it('nothing that only one side added is lost, whatever the other did', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 6 })
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, more) => {
        const added = more.map((line, at) => `${line}${at}`)
        const result = mergedLines({ base, ours, theirs: [...base, ...added] })
        expect(result).not.toBeNull()
        for (const line of [...ours, ...added]) expect(result).toContain(line)
      }),
    )
  })

  it('is not held up by what is huge', () => {
    const many = (text: string) => Array.from({ length: 100_000 }, () => text)
    expect(mergedLines({ base: [], ours: many('a'), theirs: many('b') })).toBeNull()
  })
})

describe('what git leaves of a merge', () => {
  it('is resolved place by place, and only whole', () => {
    const text = [
      'head',
      '<<<<<<< ours',
      'mine',
      '||||||| base',
      '=======',
      'other',
      '>>>>>>> theirs',
      'tail',
    ]
    expect(resolvedText(text.join('\n'), 7)).toBe('head\nmine\nother\ntail')
    expect(resolvedText(text.map((line) => `${line}\r\n`).join(''), 7)).toBe(
      'head\r\nmine\r\nother\r\ntail\r\n',
    )
    expect(resolvedText([...text.slice(0, 4), 'was', ...text.slice(4)].join('\n'), 7)).toBeNull()
    expect(resolvedText(text.slice(0, 5).join('\n'), 7)).toBeNull()
  })

  it('is never taken for what an issue says', () => {
    const forged = 'x\n<<<<<<< ours\n=======\n>>>>>>> theirs\n'
    expect(markSize([forged, 'x\n', '=========\n'])).toBe(10)
    expect(resolvedText(forged, 10)).toBe(forged)
    expect(markSize(['='.repeat(2000)])).toBeNull()
  })
})
