import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReport } from '../report.ts'
import { plainValue, type Tree } from '../tree.ts'
import { readYaml } from './read.ts'

function read(text: string) {
  const report = createReport('flow.yaml')
  const tree = readYaml(text, report)
  return {
    tree,
    value: tree === null ? null : plainValue(tree),
    findings: report.diagnostics.map(({ code, at, message }) => `${at.line}:${at.column} ${code} ${message}`),
  }
}

const valueIn = (text: string): unknown => {
  const { value, findings } = read(text)
  expect(findings).toEqual([])
  return value
}

/** Every value of the tree as `line:column path`. */
const places = (tree: Tree): string[] => [
  `${tree.at.line}:${tree.at.column} ${tree.path}`,
  ...(tree.kind === 'map' ? tree.entries.flatMap(({ value }) => places(value)) : []),
  ...(tree.kind === 'list' ? tree.items.flatMap(places) : []),
]

describe('reading', () => {
  it('keeps order and kinds, and knows where each value stands', () => {
    const { tree, value } = read('b: [x, 2]\na:\n  - true\n  - c: ~\n')
    expect(JSON.stringify(value)).toBe('{"b":["x",2],"a":[true,{"c":null}]}')
    expect(places(tree!)).toEqual([
      '1:1 ',
      '1:4 b',
      '1:5 b.0',
      '1:8 b.1',
      '3:3 a',
      '3:5 a.0',
      '4:5 a.1',
      '4:8 a.1.c',
    ])
  })

  it('takes what YAML calls a date, a big number or a binary as its own text', () => {
    expect(valueIn('[2026-01-02, .inf, 0x1F, 1e3, 0o17, 010, yes, on, no]')).toEqual([
      ...['2026-01-02', '.inf', 31, 1000, 15, 10, 'yes', 'on', 'no'],
    ])
  })

  it('takes keys as text', () => {
    expect(valueIn('1: a\ntrue: b\non: c')).toEqual({ 1: 'a', true: 'b', on: 'c' })
  })

  it('reads a file saved with a byte order mark or with other ends of line', () => {
    expect(valueIn('\ufeffa: 1\r\nb: |\r\n  x\r\n  y\r\n')).toEqual({ a: 1, b: 'x\ny\n' })
  })

  it('writes aliases out, each under its own path', () => {
    const { tree, value } = read('a: &x { k: [1] }\nb: *x\n')
    expect(value).toEqual({ a: { k: [1] }, b: { k: [1] } })
    expect(places(tree!)).toContain('1:13 b.k.0')
  })

  it('takes nothing for an empty file', () => {
    for (const text of ['', '# only a comment\n', '---\n', '\n\n']) expect(valueIn(text)).toBeNull()
  })
})

describe('findings', () => {
  it.each([
    ['a: "x', '1:4 yaml-syntax The text that opens here with " is never closed.'],
    ["a: 1\nb:\n  c: 'x\nd: 2\n", "3:6 yaml-syntax The text that opens here with ' is never closed."],
    ['a:\n  b: "x\n  c: "y"\n', '2:6 yaml-syntax The text that opens here with " is never closed.'],
    ['a:\n\tb: 1', '2:1 yaml-syntax A tab indents here; YAML takes spaces.'],
    ['a:\n  b: 1\n\t\tc: 2\nd: 3', '3:1 yaml-syntax A tab indents here; YAML takes spaces.'],
    ['a: b: c', '1:5 yaml-syntax This colon would begin a map inside a text.'],
    ['a: { max: 2 then: x }', '1:13 yaml-syntax A comma is missing before `then`.'],
    ['a: { max: 2\n  then: x }', '2:3 yaml-syntax A comma is missing before `then`.'],
    ['a: ["x" "y"]', '1:9 yaml-syntax A comma is missing before this.'],
    ['a: { b: 1\nc: { d: 1 }', '1:4 yaml-syntax This { is never closed.'],
    ['a: [b, [c, d]', '1:4 yaml-syntax This [ is never closed.'],
    ['a: { b: 1 }}', '1:12 yaml-syntax This } closes nothing.'],
    [
      'a:\n    b: 1\n   c: 2',
      '3:4 yaml-syntax 3 spaces before this, and nothing above it that it could belong to stands at that column.',
    ],
    [
      'a:\n  b: 1\n    c: 2',
      '3:5 yaml-syntax `c` is indented deeper than `b` above it, which has its value already.',
    ],
    ['a:\n  - b\n  c: 1', '3:3 yaml-syntax A key stands where the items of a list stand.'],
    ['a:1\nb: 2', '1:3 yaml-syntax A space is missing after the colon.'],
    ['a: 1\nb\n  c: 2', '2:2 yaml-syntax A colon is missing after "b".'],
    ['a:\n  b c\n  d: 1', '2:4 yaml-syntax A colon is missing after "b".'],
    ['a: { b: [c }, d: 1 }', '1:9 yaml-syntax This [ is closed by }.'],
    ['a: { b: { c: [d, { e: 1 ] } }', '1:18 yaml-syntax This { is closed by ].'],
    ['a: - b', '1:4 yaml-syntax A list cannot begin on the line of its key.'],
    ["a: 'it's'", '1:8 yaml-syntax The text in quotes has ended before this.'],
    ['a: "x" y', '1:8 yaml-syntax The text in quotes has ended before this.'],
    ['a: [ -f x ] && y', '1:4 yaml-syntax A text that begins with [ stands in quotes.'],
    ['a: "\\d"', '1:5 yaml-syntax \\d is not an escape of a text in double quotes.'],
    ['a: @x', '1:4 yaml-syntax A text cannot begin with @ unless it stands in quotes.'],
    ['a: { b: ${var.x}, c: d }', '1:9 yaml-syntax Between { } or [ ] a text with ${…} stands in quotes.'],
    [
      'a:\u00a0x\nb: y',
      '1:3 yaml-syntax Here stands a no-break space (U+00A0), which YAML takes for a letter.',
    ],
    ['a: |x\n  y', '1:5 yaml-syntax A text of several lines begins on the line after its | or >.'],
    [
      'a: &x { b: 1 }\nc: { <<: *x }',
      '2:6 yaml-syntax Maps are not merged here: `<<` is no part of YAML 1.2.',
    ],
    ['a: 1\n---\nb: 2', '2:1 yaml-syntax A second document begins here.'],
    ['a: *x', '1:4 yaml-syntax There is no anchor "&x" before this alias.'],
    ['[a]: 1', '1:1 yaml-syntax A key should be plain text.'],
    ['a: !x 1', '1:4 yaml-syntax A text cannot begin with ! unless it stands in quotes.'],
    ['a: 1\nb: 2\na: 3', '3:1 duplicate-key `a` stands here a second time; the first is on line 1.'],
    ['a: { b: 1, b: 2 }', '1:12 duplicate-key `b` stands here a second time; the first is on line 1.'],
  ])('[L2] of %j', (text, expected) => {
    expect(read(text).findings).toEqual([expected])
  })

  it('[L2] of one slip are one, whatever follows from it', () => {
    expect(read('a: { b: ${x}, c: ${y}, d: ${z}, e: f }').findings).toHaveLength(1)
    expect(read('a: { x: 1 y: 2 }\nb: { x: 1 y: 2 }').findings).toEqual([
      '1:11 yaml-syntax A comma is missing before `y`.',
      '2:11 yaml-syntax A comma is missing before `y`.',
    ])
  })

  it('[L3] [L2] stand on a line of the text, whatever it is', () => {
    const piece = fc.constantFrom(
      ...['a:', ' b', '\n', '  ', '\t', '"', "'", '{', '}', '[', ']', ',', ': ', '- ', '|', '&x', '*x', '<<'],
      ...['${', '#', '\u00a0', '\\', '@', '? ', '---', '\r\n', '!t'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const report = createReport('flow.yaml')
        readYaml(text, report)
        for (const { at, message, help } of report.diagnostics) {
          expect(at.line).toBeLessThanOrEqual(text.split(/\r\n|\n/).length)
          expect(at.column).toBeGreaterThanOrEqual(1)
          expect(message).not.toContain('undefined')
          expect(help).not.toContain('undefined')
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('[L2] come all at once', () => {
    expect(read('a: 1\na: 2\nb: *x\n[c]: 3').findings).toHaveLength(3)
  })
})

describe('hostile texts', () => {
  it('[L3] may be nested to a bound', () => {
    const nested = (depth: number) => read('['.repeat(depth) + ']'.repeat(depth)).findings
    expect(nested(48)).toEqual([])
    expect(nested(50)).toEqual(['1:50 too-deep Nested more than 48 levels deep.'])
    expect(nested(100_000)).toHaveLength(1)
    expect(read('- '.repeat(20_000)).findings).toHaveLength(1)
    expect(
      read(Array.from({ length: 300 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')).findings,
    ).toHaveLength(1)
  })

  it('[L3] may not explode by their aliases', () => {
    const list = (item: string) => `[${Array.from({ length: 10 }, () => item).join(', ')}]`
    const bomb = [
      'a0: &a0 x',
      ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} ${list(`*a${n}`)}`),
    ]
    expect(read(bomb.join('\n')).findings.map((finding) => finding.split(' ')[1])).toEqual(['too-large'])
  })

  it('[L3] may hold themselves', () => {
    expect(read('&a [*a, *a]').findings.map((finding) => finding.split(' ')[1])).toEqual(['too-large'])
    expect(read('&a { b: *a }').tree).not.toBeNull()
  })

  it('[L3] do not say the same a thousand times', () => {
    expect(read('}\n'.repeat(5_000)).findings.length).toBeLessThanOrEqual(20)
  })
})
