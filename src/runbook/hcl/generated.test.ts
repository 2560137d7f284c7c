/**
 * Documents made by chance. Sound ones, in the part of HCL that HashiCorp's parser and ours both know, must be read
 * as HashiCorp reads them; spoilt ones, and any other text, may only be refused.
 */
import { parse as parseAsHashiCorp } from '@cdktn/hcl2json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Plain, parse, read } from './reading.fixture.ts'
import type { BlockBody, Expression } from './syntax.ts'

// Names of attributes, and of blocks with no, one and two labels, are kept apart: HashiCorp's JSON merges them.
const name = fc.constantFrom('a', 'b1', 'c_d', 'e-f', '_g', 'true_h', 'é')
const label = fc.constantFrom('x', 'y z', 'w-v', 'ü')

const textPiece = fc.constantFrom(
  ...[
    'word',
    ' ',
    '  ',
    '}',
    '# no',
    '// no',
    '/*',
    "it's",
    '$ ',
    '% ',
    '$5',
    'é',
    '😀',
    '<<X',
    '=',
    '[',
    ',',
  ],
  ...['$${no}', '%%{no}', '${var.x}', '${file("a } b.md")}', '${step.a["k"]}', '${a("${b}")}'],
)
const escapePiece = fc.constantFrom('\\n', '\\t', '\\r', '\\"', '\\\\', '\\u00e9', '\\U0001F600')
const quoted = fc
  .array(fc.oneof(textPiece, escapePiece), { maxLength: 6 })
  .map((pieces) => `"${pieces.join('')}"`)

const heredocLine = fc
  .tuple(
    fc.constantFrom('', ' ', '  ', '    ', '\t', ' \t '),
    fc.array(fc.oneof(textPiece, fc.constantFrom('"', '\\', '\\n', 'END.')), { maxLength: 3 }),
  )
  .map(([indentation, pieces]) => indentation + pieces.join(''))
const heredoc = fc
  .tuple(
    fc.constantFrom('<<', '<<-'),
    fc.array(heredocLine, { maxLength: 5 }),
    fc.constantFrom('', '  ', '        '),
  )
  .map(([opening, lines, indentation]) => `${[`${opening}END`, ...lines].join('\n')}\n${indentation}END`)

const number = fc.oneof(
  fc.integer({ min: 1 }).map(String),
  fc.tuple(fc.nat(999), fc.nat(999)).map(([whole, part]) => `${whole}.${part}1`),
  fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: -9, max: 9 })).map(([a, b]) => `${a}e${b}`),
  fc.integer({ min: 1, max: 9999 }).map((value) => `-${value}`),
)
const word = fc.constantFrom('true', 'false', 'null')
const lookUp = fc.constantFrom('file("x y")', 'var.issue', 'step.a.b', 'a[0].b["c"]', 'x', 'f(1, "2").g')

/** Values that fit on one line come apart from heredocs, which need the line to themselves. */
const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    quoted,
    number,
    word,
    lookUp,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(
      fc.array(tie('value'), { maxLength: 4 }),
      fc.constantFrom(', ', ',\n  ', ' , # and\n '),
      fc.boolean(),
    )
    .map(
      ([items, separator, trails]) => `[${items.join(separator)}${trails && items.length > 0 ? ',' : ''}]`,
    ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('value'), fc.constantFrom('=', ':')), {
        selector: ([key]) => key,
        maxLength: 4,
      }),
      fc.constantFrom(', ', ',\n', '\n', '\n\n'),
      fc.boolean(),
    )
    .map(([fields, separator, quotes]) => {
      const rows = fields.map(([key, held, sign]) => `${quotes ? `"${key}"` : key} ${sign} ${held}`)
      return `{ ${rows.join(separator)} }`
    }),
}))

const comment = fc.constantFrom('', '', ' # one', ' // two', ' /* three */')

const attributes = (depth: number) =>
  fc
    .uniqueArray(fc.tuple(name, fc.oneof({ weight: 3, arbitrary: value }, heredoc), comment), {
      selector: ([key]) => key,
      maxLength: 4,
    })
    .map((all) =>
      all.map(
        ([key, held, note]) => `${' '.repeat(depth)}${key} = ${held}${held.startsWith('<<') ? '' : note}\n`,
      ),
    )

const heading = fc.oneof(
  fc.constantFrom('none', 'nothing'),
  label.map((text) => `one "${text}"`),
  fc.tuple(label, fc.constantFrom('bare', 'x')).map(([first, second]) => `two "${first}" ${second}`),
)

const body = (depth: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      attributes(depth),
      depth > 2 ? fc.constant([]) : fc.array(block(depth), { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([first, second, swaps]) => (swaps ? [...second, '\n', ...first] : [...first, ...second]).join(''))

const block = (depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(heading, body(depth + 1)).map(([text, inner]) => `${text} {\n${inner}}\n`),
    fc.tuple(heading, name, quoted).map(([text, key, held]) => `${text} { ${key} = ${held} }\n`),
    heading.map((text) => `${text} {}\n`),
  )

const hclDocument = body(0)

it('reads what HashiCorp reads', async () => {
  await fc.assert(
    fc.asyncProperty(hclDocument, async (text) => {
      const { body, findings } = parse(text)
      expect(findings).toEqual([])
      const theirs: unknown = await parseAsHashiCorp('flow.hcl', text)
      expect(merged(body)).toEqual(resolved(theirs as Plain))
    }),
    { numRuns: 300 },
  )
})

/** Their JSON has blocks under type and labels, each a list of bodies. */
function merged(body: BlockBody): { [key: string]: Plain } {
  const result: { [key: string]: Plain } = {}
  for (const part of body) {
    if (part.kind === 'attribute') {
      result[part.name] = plain(part.value)
      continue
    }
    let holder = result
    const keys = [part.type, ...part.labels.map(({ text }) => text)]
    const last = keys.pop()!
    for (const key of keys) {
      holder[key] ??= {}
      holder = holder[key] as { [key: string]: Plain }
    }
    holder[last] = [...((holder[last] as Plain[] | undefined) ?? []), merged(part.body)]
  }
  return result
}

function plain(value: Expression): Plain {
  if (value.kind === 'literal') return value.value
  return value.kind === 'list' ? value.items.map(plain) : merged(value.fields)
}

/** They leave the escape %%{ in the text; we resolve it, because no later reader of ours knows %{. */
function resolved(value: Plain): Plain {
  if (typeof value === 'string') return value.replaceAll('%%{', '%{')
  if (Array.isArray(value)) return value.map(resolved)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, resolved(held)]))
}

describe('any text', () => {
  const byteish = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'{}[]()="\\$%<>-.,:#/*\n\r\t \'?!&|~@;`'.split('')),
      fc.constantFrom(
        '${',
        '$${',
        '%{',
        '<<X\n',
        '<<-X\n',
        '\nX\n',
        'for',
        'step',
        'job',
        'a',
        '1',
        'é',
        '\uD83D',
        '\0',
      ),
    ),
    maxLength: 200,
  })

  it('is read without an exception', () => {
    fc.assert(fc.property(byteish, sound), { numRuns: 1_000 })
  })

  it('is read without an exception where a sound document was cut and spliced', () => {
    const cut = fc.record({
      from: fc.nat(400),
      length: fc.nat(6),
      splice: fc.oneof(fc.constant(''), byteish),
    })
    const spoilt = fc.tuple(hclDocument, fc.array(cut, { minLength: 1, maxLength: 3 })).map(([text, cuts]) =>
      cuts.reduce((spoiling, { from, length, splice }) => {
        const at = from % (spoiling.length + 1)
        return spoiling.slice(0, at) + splice.slice(0, 4) + spoiling.slice(at + length)
      }, text),
    )
    fc.assert(fc.property(spoilt, sound), { numRuns: 500 })
  })

  /** Nothing is thrown, every finding stands in the text, and there is a tree or an error. */
  function sound(text: string): void {
    const { tree, diagnostics } = read(text)
    const lines = text.split('\n')
    for (const { at } of diagnostics) {
      expect(at.line).toBeGreaterThanOrEqual(1)
      expect(at.column).toBeGreaterThanOrEqual(1)
      expect(at.column).toBeLessThanOrEqual((lines[at.line - 1]?.length ?? -1) + 1)
    }
    if (tree === null) expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
  }
})
