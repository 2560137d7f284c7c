import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSource } from '../compile.ts'
import { placesIn } from './places.ts'

/** What begins at the place of each path. */
function shown(source: string, value: unknown): Record<string, string> {
  return Object.fromEntries(
    [...placesIn(source, value)].map(([path, { key, value: at }]) => [
      path,
      `${source.slice(key, at)}${/^(?:'[^']*'|"[^"]*"|\w+|.)/.exec(source.slice(at))?.[0] ?? ''}`,
    ]),
  )
}

describe('the places of a TypeScript runbook', () => {
  it('[L18] are those of its keys and values', () => {
    const value = { name: 'x', steps: { 'a-b': { check: 'y', exit: [0, 1] }, c: { next: 'done' } } }
    const source = `
// export default runbook({ name: 'no' })
const pattern = /[/'"]{/
export default runbook({
  name: 'x', /* name: 'y' */
  steps: {
    'a-b': { check: "y", exit: [0, 1] as const },
    c: { next: 'done' },
  },
})`
    expect(shown(source, value)).toEqual({
      '': '{',
      name: "name: 'x'",
      steps: 'steps: {',
      'steps.a-b': "'a-b': {",
      'steps.a-b.check': 'check: "y"',
      'steps.a-b.exit': 'exit: [',
      'steps.a-b.exit.0': '0',
      'steps.a-b.exit.1': '1',
      'steps.c': 'c: {',
      'steps.c.next': "next: 'done'",
    })
  })

  it.each([
    ['a spread may have replaced what stands before it', '{ a: { x: 1 }, ...rest, b: 2 }', ['', 'b']],
    ['a computed key, too', '{ a: 1, [key]: 2, b: 2 }', ['', 'b']],
    ['what a call gives is not written here', '{ a: made({ x: 1 }), b: 2 }', ['', 'a', 'b']],
    ['nor what is looked up in a literal', '{ a: { x: { x: 1 } }.x, b: 2 }', ['', 'a', 'b']],
    ['a name alone is its own value', '{ a, b }', ['', 'a', 'b']],
    ['a text may be made of others', "{ a: 'x' + y, b: `${z}` }", ['', 'a', 'b']],
    ['items after a spread cannot be counted', '{ b: [...rest, 1], a: 1 }', ['', 'b', 'a']],
  ])('[L18] are left out where they are not certain: %s', (_, object, expected) => {
    const value = { a: { x: 1 }, b: [2, 1] }
    expect([...placesIn(`export default runbook(${object})`, value).keys()].toSorted()).toEqual(
      expected.toSorted(),
    )
  })

  it('[L18] are found where the flow has a name of its own', () => {
    expect(shown('const flow = runbook({ a: 1 })\nexport default flow', { a: 1 })).toEqual({
      '': '{',
      a: 'a: 1',
    })
    expect(shown('const flow = other({ a: 1 })\nexport default flow', { a: 1 })).toEqual({})
    expect(shown('export default made({ a: 1 })', { a: 1 })).toEqual({})
  })

  it('[L18] are where the value stands, whatever it is made of', () => {
    const key = fc.constantFrom('a', 'b-c', 'd e', 'steps', 'x1')
    const { value: anything } = fc.letrec<{ value: unknown; scalar: unknown }>((tie) => ({
      scalar: fc.oneof(
        fc.constantFrom('x', "it's", 'a // b', '${var.x}', '}', '\\'),
        fc.nat(99),
        fc.boolean(),
      ),
      value: fc.oneof(
        { depthSize: 'small' },
        tie('scalar'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(
        fc.dictionary(key, anything, { noNullPrototype: true }),
        fc.constantFrom("'", '"', '`'),
        (value, quote) => {
          const source = `// {\nexport default runbook(${written(value, quote)})`
          const places = placesIn(source, value)
          for (const [path, one] of all(value, '')) {
            const place = places.get(path)
            expect(source.slice(place?.value ?? 0)).toMatch(startOf(written(one, quote)))
            const texts = typeof one === 'string' && quote !== '`' ? one.split('${').length - 1 : 0
            if (typeof one === 'string' && quote !== '`') expect(place?.lookUps).toHaveLength(texts)
          }
        },
      ),
    )
  })

  it('[L3] are looked for in any text without an exception', () => {
    const piece = fc.constantFrom(
      'export default ',
      'runbook(',
      '{',
      '}',
      '[',
      ']',
      'a:',
      "'",
      '`',
      '${',
      '/',
      '*',
      '//',
      '\n',
      ',',
      '...',
      ')',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(placesIn(pieces.join(''), { a: { a: ['x'] } })).toBeInstanceOf(Map)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a TypeScript runbook', () => {
  const source = `import { runbook } from 'signalbox'

export default runbook({
  steps: {
    test: {
      check: 'npm test \${var.level} \${run.nme}',
      options: { pass: 'don', fail: { to: 'retry', max: 2.5, then: 'abandoned' } },
    },
    ...more,
  },
})
`
  const value = {
    runbook: 1,
    steps: {
      test: {
        check: 'npm test ${var.level} ${run.nme}',
        options: { pass: 'don', fail: { to: 'retry', max: 2.5, then: 'abandoned' } },
      },
    },
  }
  const places = (text: string) =>
    compileSource({ file: 'flow.ts', value, source: text }, () => ({
      kind: 'unreadable',
      why: '',
    })).diagnostics.map(({ code, at, path }) => `${at.line}:${at.column} ${code} ${path}`)

  it('[L18] is told at its lines', () => {
    expect(places(source.replace('    ...more,\n', ''))).toEqual([
      '6:24 unknown-name steps.test.check',
      '6:37 unknown-name steps.test.check',
      '7:24 unknown-target steps.test.options.pass',
      '7:57 wrong-type steps.test.options.fail.max',
    ])
  })

  it('[L18] is told by its paths where a spread could have replaced it', () => {
    expect(places(source)).toEqual([
      '0:0 unknown-name steps.test.check',
      '0:0 unknown-name steps.test.check',
      '0:0 unknown-target steps.test.options.pass',
      '0:0 wrong-type steps.test.options.fail.max',
    ])
  })
})

function written(value: unknown, quote: string): string {
  if (typeof value === 'string')
    return (
      quote +
      value
        .replaceAll('\\', '\\\\')
        .replaceAll(quote, `\\${quote}`)
        .replaceAll('${', quote === '`' ? '\\${' : '${') +
      quote
    )
  if (Array.isArray(value)) return `[${value.map((item) => `${written(item, quote)}, /* ] */`).join('\n')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)} : // }\n ${written(one, quote)}`,
  )
  return `{ ${pairs.join(', ')} }`
}

function* all(value: unknown, path: string): Generator<[string, unknown]> {
  yield [path, value]
  if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* all(one, path === '' ? key : `${path}.${key}`)
}

const startOf = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`)
