import { describe, expect, it } from 'vitest'
import { parse } from './reading.fixture.ts'

const valueIn = (expression: string) => {
  const { value, findings } = parse(`a = ${expression}\n`)
  expect(findings).toEqual([])
  return value['a']
}

describe('values', () => {
  it.each([
    ['12', 12],
    ['-3', -3],
    ['1.50', 1.5],
    ['2.5e-3', 0.0025],
    ['true', true],
    ['false', false],
    ['null', null],
    ['[]', []],
    ['[1, "b", [true],]', [1, 'b', [true]]],
    ['[\n  1, # one\n  2\n]', [1, 2]],
    ['{}', {}],
    ['{ b = 1, "c d" = 2, }', { b: 1, 'c d': 2 }],
    ['{ b : 1 }', { b: 1 }],
    ['{\n  b = 1\n  c = { d = 2 }\n}', { b: 1, c: { d: 2 } }],
  ])('reads %s', (expression, expected) => {
    expect(valueIn(expression)).toEqual(expected)
  })

  it.each([
    ['file("notes.md")', '${file("notes.md")}'],
    ['var.ticket', '${var.ticket}'],
    ['step.plan.fields["a b"][0]', '${step.plan.fields["a b"][0]}'],
  ])('reads the bare look-up %s as a text', (expression, expected) => {
    expect(valueIn(expression)).toBe(expected)
  })

  it.each([
    '1 + 2',
    'a == b',
    'x ? 1 : 2',
    '!x',
    '(1)',
    '[for x in y : x]',
    '{ for k, v in m : k => v }',
    'a.*.b',
  ])('refuses to compute %s, and reads on', (expression) => {
    const { messages, value } = parse(`a = ${expression}\nb = 1\n`)
    expect(messages).toEqual([expect.stringContaining('Only literals, lists, objects, look-ups')])
    expect(value['b']).toBe(1)
  })
})

describe('texts in quotes', () => {
  it('resolves escapes', () => {
    expect(valueIn(String.raw`"a\n\t\r\"\\ \u00e9 \U0001F600"`)).toBe('a\n\t\r"\\ é 😀')
  })

  it('keeps look-ups as written, quotes and braces inside them included', () => {
    expect(valueIn('"see ${file("a.md")} and ${ x["}"] }"')).toBe('see ${file("a.md")} and ${ x["}"] }')
    expect(valueIn('"${a("${b("c")}")}"')).toBe('${a("${b("c")}")}')
  })

  it('keeps the escape $${ for the compiler and resolves %%{ itself', () => {
    expect(valueIn('"$${HOME} $$${x} %%{http_code} 100% $5"')).toBe('$${HOME} $$${x} %{http_code} 100% $5')
  })

  it('does not let an escaped dollar or brace become a look-up', () => {
    expect(valueIn(String.raw`"\u0024{a} $\u007bb}"`)).toBe('$${a} $${b}')
  })

  it('reports each fault where it stands', () => {
    const { diagnostics, value } = parse(
      [String.raw`a = "\d+" b = "fine"`, 'c = "not closed', 'd = "${x"', 'e = "%{ if x }"', 'f = 1'].join(
        '\n',
      ),
    )
    expect(diagnostics.map(({ at, message }) => `${at.line}:${at.column} ${message}`)).toEqual([
      String.raw`1:6 \d is not an escape.`,
      '2:5 This text is not closed on its line.',
      '3:6 This ${ is never closed.',
      '4:6 Texts know look-ups ${…}, but no directives %{…}.',
    ])
    expect(value).toMatchObject({ b: 'fine', f: 1 })
  })

  it('ends a text with an open look-up at its next quote, so that the line goes on', () => {
    const { findings, value } = parse('option "a" { say = "go ${x" }\noption "b" { say = "stay" }')
    expect(findings).toEqual(['1:24 hcl-syntax'])
    expect(Object.keys(value)).toEqual(['option "a"', 'option "b"'])
  })

  it('refuses half a character', () => {
    expect(parse(String.raw`a = "\ud83d"`).findings).toEqual(['1:6 hcl-syntax'])
  })
})

describe('heredocs', () => {
  it('keep their lines as they are', () => {
    expect(valueIn('<<EOT\n  one "two" \\n\n\tthree\nEOT')).toBe('  one "two" \\n\n\tthree\n')
  })

  it('lose the smallest indentation with <<-, blank lines not counted', () => {
    expect(valueIn('<<-EOT\n    one\n\n      two ${x}\n \n    three\n  EOT')).toBe(
      'one\n\n  two ${x}\n \nthree\n',
    )
  })

  it('end only at a line that holds nothing but the marker', () => {
    expect(valueIn('<<-EOT\n  EOT and more\n  EOTX\n  EOT')).toBe('EOT and more\nEOTX\n')
  })

  it('read the same with the line ends of Windows', () => {
    expect(valueIn('<<-EOT\r\n  one\r\n  two\r\n  EOT\r')).toBe('one\ntwo\n')
  })

  it('may be empty, and may stand in lists and objects', () => {
    expect(valueIn('[<<A\nA\n, { b = <<-B\n  x\n  B\n}]')).toEqual(['', { b: 'x\n' }])
  })

  it('are reported at their opening where they never close', () => {
    expect(parse('a = 1\nb = <<-EOT\n  text\nc = 2\n').findings).toEqual(['2:5 hcl-syntax'])
  })

  it('begin on the line after the marker', () => {
    expect(parse('b = <<EOT  text\nx\nEOT\n').findings).toEqual(['1:12 hcl-syntax'])
  })

  it('know no directives, and say where one stands', () => {
    expect(parse('b = <<EOT\nx\n ${y} %{ if z }\nEOT\n').findings).toEqual(['3:7 hcl-syntax'])
  })
})

describe('bodies', () => {
  it('keep the order of blocks', () => {
    const { body } = parse('step "b" {}\nagent "x" {}\nstep "a" {}\n')
    expect(body.map((part) => part.kind === 'block' && part.labels[0]?.text)).toEqual(['b', 'x', 'a'])
  })

  it('take labels with and without quotes', () => {
    expect(parse('link "a b" c { d = 1 }').value).toEqual({ 'link "a b" "c"': [{ d: 1 }] })
  })

  it('may have several parts on one line', () => {
    const { value, findings } = parse(
      'option "merge" { description = "Land it" recommended = true sub { x = [1] } }',
    )
    expect(findings).toEqual([])
    expect(value).toEqual({
      'option "merge"': [{ description: 'Land it', recommended: true, sub: [{ x: [1] }] }],
    })
  })

  it('know where everything stands', () => {
    const { body } = parse('\n  step "plan" {\n    /* é */ run = [1,\n      { a = 2 }]\n  }\n')
    expect(body).toMatchObject([
      {
        at: { line: 2, column: 3 },
        labels: [{ at: { line: 2, column: 8 } }],
        body: [
          {
            at: { line: 3, column: 13 },
            value: {
              at: { line: 3, column: 19 },
              items: [
                { at: { line: 3, column: 20 } },
                { at: { line: 4, column: 7 }, fields: [{ at: { line: 4, column: 9 } }] },
              ],
            },
          },
        ],
      },
    ])
  })

  it('pass over comments of all three kinds and a byte order mark', () => {
    expect(parse('\uFEFFa = 1 # one\n// two\nb /* three\n */ = 2 // four\n').value).toEqual({ a: 1, b: 2 })
    expect(parse('a = 1 /* open\nb = 2').findings).toEqual(['1:7 hcl-syntax'])
  })
})

describe('faults', () => {
  it('are all reported, each at its place, and what is sound is read', () => {
    const { diagnostics, value } = parse(
      [
        'step "a" {',
        '  time = 30m',
        "  say = 'hello'",
        '  max = 1 + 1',
        '  writes = ["a" "b"]',
        '  next : "b"',
        '  "gate" = true',
        '  one = 1, two = 2',
        '}',
        'step "b" ! { say = "ok" }',
        '}',
        'step "c"',
        '{',
        '  say =',
        '}',
        'budgets = { x = 1 y = 2, z 3 }',
        'say = Land it now',
        'last = true',
      ].join('\n'),
    )
    expect(diagnostics.map(({ at, message }) => `${at.line}:${at.column} ${message}`)).toEqual([
      '2:10 30m is neither a number nor a text.',
      '3:9 Text stands in double quotes.',
      '4:11 Only literals, lists, objects, look-ups such as var.x and file("…") are allowed: nothing is computed here.',
      '5:17 A comma is missing before this.',
      '6:8 An attribute is set with =.',
      '7:3 Here an attribute (name = value) or a block (name { … }) begins.',
      '8:10 No comma stands between the parts of a block.',
      '10:10 After step comes = and a value, or { and a block.',
      '11:1 This } closes nothing.',
      '13:1 This { belongs on the line of step.',
      '14:8 A value is missing here.',
      '16:19 A comma or a new line is missing before this.',
      '16:28 After the key z comes = and its value.',
      '17:12 After it comes = and a value, or { and a block.',
    ])
    expect(value).toMatchObject({
      'step "a"': [{ time: '30m', writes: ['a', 'b'], next: 'b', one: 1, two: 2 }],
      'step "b"': [{ say: 'ok' }],
      budgets: { x: 1, y: 2 },
      last: true,
    })
  })

  it('show every list that is never closed, and go on with the attribute after it', () => {
    const { findings, value } = parse('a = [1, 2\nb = [[3\nstep "c" {\n  d = 4\n}\n')
    expect(findings).toEqual(['1:5 hcl-syntax', '2:6 hcl-syntax'])
    expect(value).toEqual({ a: [1, 2], b: [[3]], 'step "c"': [{ d: 4 }] })
  })

  it('show only the innermost bracket that the end of the file leaves open', () => {
    expect(parse('a {\n  b {\n    c = [\n').findings).toEqual(['3:9 hcl-syntax'])
  })

  it('show an attribute or key that is given twice, and keep the first', () => {
    const { findings, value } = parse('a = 1\nb = { c = 1, c = 2 }\na = 3\nx { a = 4 }\n')
    expect(findings).toEqual(['2:14 duplicate-key', '3:1 duplicate-key'])
    expect(value).toEqual({ a: 1, b: { c: 1 }, x: [{ a: 4 }] })
  })

  it('show names that hold a look-up', () => {
    expect(parse('step "${x}" {}').findings).toEqual(['1:6 hcl-syntax'])
    expect(parse('step "$${x}" {}').value).toEqual({ 'step "${x}"': [{}] })
  })

  it('stop after a hundred, and say so', () => {
    const { diagnostics } = parse('a = \n'.repeat(1000))
    expect(diagnostics).toHaveLength(101)
    expect(diagnostics.at(-1)?.message).toContain('More than 100 problems')
  })
})

describe('nesting', () => {
  it('goes 64 deep', () => {
    expect(parse(`a = ${'['.repeat(64)}${']'.repeat(64)}`).findings).toEqual([])
    expect(parse(`${'a {\n'.repeat(64)}${'}\n'.repeat(64)}`).findings).toEqual([])
  })

  it('is refused beyond, once, and what follows is read', () => {
    expect(parse(`a = ${'['.repeat(70)}${']'.repeat(70)}\nb = 1 + 1`).findings).toEqual([
      '1:69 too-deep',
      '2:7 hcl-syntax',
    ])
    expect(parse(`${'a {\n'.repeat(70)}${'}\n'.repeat(70)}b = {{\n`).findings[0]).toBe('65:3 too-deep')
  })
})
