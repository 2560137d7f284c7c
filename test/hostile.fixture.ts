/**
 * Input that nobody meant: noise, the language's own words in any order, and real documents with a few things
 * broken. Everything is drawn by fast-check, so a seed brings the same input back and a failure shrinks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { FIELD_TYPES } from '../src/model/contract.ts'
import { FAULTS } from '../src/model/fault.ts'
import type { FileRead } from '../src/runbook/compile/scope.ts'
import { compileSource } from '../src/runbook/compile.ts'
import { RUNBOOK } from '../src/runbook/language/language.ts'
import type { Shape } from '../src/runbook/language/shape.ts'

const namesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`)

const textsIn = (folder: string, ending: string): string[] =>
  namesIn(folder, ending).map((name) => readFileSync(name, 'utf8'))

/** Code blocks of the manual, as far as it is written. */
function snippets(language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')
  return [...textsIn('.', '.md'), ...textsIn('docs', '.md')].flatMap((page) =>
    [...page.matchAll(block)].map(([, text = '']) => text),
  )
}

export const YAML_DOCUMENTS = [
  ...textsIn('examples', '.yaml'),
  ...textsIn('examples/parts', '.yaml'),
  ...snippets('yaml'),
]
const HCL_DOCUMENTS = [
  ...textsIn('examples', '.hcl'),
  ...textsIn('test/spellings', '.hcl'),
  ...snippets('hcl'),
]

const BESIDE: ReadonlyMap<string, string> = new Map(
  ['parts', 'prompts'].flatMap((folder) =>
    namesIn(`examples/${folder}`, '').map((name) => [
      name.replace('examples/', ''),
      readFileSync(name, 'utf8'),
    ]),
  ),
)

/** The files beside the examples, and no others. */
export function readExample(path: string): FileRead {
  const text = BESIDE.get(path)
  return text === undefined
    ? { kind: 'unreadable', why: 'does not exist' }
    : { kind: 'text', text, file: path }
}

function keysOf(shape: Shape): string[] {
  if (shape.kind === 'object')
    return Object.entries(shape.fields).flatMap(([key, child]) => [key, ...keysOf(child)])
  if (shape.kind === 'either') return shape.of.flatMap(keysOf)
  return 'of' in shape ? keysOf(shape.of) : []
}

/** What every object of JavaScript has: a name like any other to whoever writes a runbook. */
export const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']

const split = (text: string): string[] => text.trim().split(/ +/)

const WORDS = [
  ...new Set([...keysOf(RUNBOOK), ...FAULTS, ...FIELD_TYPES, ...INHERITED]),
  ...split(
    'done abandoned ask retry develop review plan dev check true false null ~ é $(x) `x` ../.. /dev/zero',
  ),
  ...split(
    '0 1 -1 1000 1e999 0x1F .inf .nan 2026-01-01 30m 99999999999d 0s "" \'\' prompts/plan.md prompts/',
  ),
  ...split(
    '${var.task} ${steps.review.notes} ${steps.constructor.x} $${ ${ ${file("x")} ${issue.title "${run.base}"',
  ),
  ...['${steps.toString.x ?? "y"}', '${var.a ?? ${var.b}}', 'parts/review.yaml', 'a b'],
  ...['\u{1F600}', '\u0000', '\uD800', '\u2028'],
]
const YAML_SIGNS = [
  ...split(': - ? { } [ ] , &a *a !!binary !!set !x | >- --- ... # %YAML " \' \\ @ `'),
  ...[': ', '- ', '<<: *a', '\t', '\r', '\uFEFF'],
]
const HCL_SIGNS = [
  ...split(
    '= { } [ ] ( ) , . " <<X <<-X X %{ /* */ // # ? == => ... * \\u0041 job step agent decision option run for',
  ),
  ...[' = ', '\t', '\r'],
]

const word = fc.constantFrom(...WORDS)

const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
)

const soup = (signs: readonly string[], opening: string): fc.Arbitrary<string> => {
  const token = fc.oneof({ weight: 3, arbitrary: word }, { weight: 2, arbitrary: fc.constantFrom(...signs) })
  const line = fc
    .tuple(fc.nat({ max: 4 }), fc.array(token, { minLength: 1, maxLength: 7 }), fc.constantFrom('', ' '))
    .map(([depth, tokens, glue]) => '  '.repeat(depth) + tokens.join(glue))
  return fc
    .tuple(fc.boolean(), fc.array(line, { maxLength: 14 }))
    .map(([opened, lines]) => (opened ? opening : '') + lines.join('\n'))
}

type Change = (text: string) => string

const NAME = /[A-Za-z_][\w-]*/g
const NUMBER = /\b\d+\b/g
const VALUE = /(?<=[:=] ?)[^\s,{}[\]]+/g

const replaceNth = (pattern: RegExp, nth: number, by: string): Change => {
  return (text) => {
    const all = text.match(pattern)?.length ?? 0
    let seen = 0
    return text.replaceAll(pattern, (found) => (seen++ === nth % all ? by : found))
  }
}

/** One of them is replaced by another one of the same document. */
const swapped = (pattern: RegExp): fc.Arbitrary<Change> =>
  fc.tuple(fc.nat(), fc.nat()).map(([at, other]) => (text) => {
    const all = text.match(pattern) ?? ['x']
    return replaceNth(pattern, at, all[other % all.length]!)(text)
  })

function onLines(change: (lines: string[], one: number, other: number) => void): fc.Arbitrary<Change> {
  return fc.tuple(fc.nat(), fc.nat()).map(([one, other]) => (text) => {
    const lines = text.split('\n')
    change(lines, one % lines.length, other % lines.length)
    return lines.join('\n')
  })
}

/** Large ones are rare: they cost a second each, since all their states are looked at. */
const count = fc.oneof(
  { weight: 60, arbitrary: fc.nat({ max: 5 }) },
  { weight: 1, arbitrary: fc.nat({ max: 1001 }) },
)

/** Another name, number or line, which the grammar may well allow. */
const slip: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(), word).map(([at, token]) => replaceNth(NAME, at, token)),
  fc.tuple(fc.nat(), count).map(([at, number]) => replaceNth(NUMBER, at, `${number}`)),
  swapped(NAME),
  swapped(VALUE),
  onLines((lines, one) => lines.splice(one, 1)),
)

const ODD_VALUES = [
  '[]',
  '{}',
  '[a, a]',
  '{ a: b }',
  '[[[]]]',
  '{ to: retry }',
  '{ to: retry, max: 9, then: retry }',
]

/** Before, within and after a stretch of it. */
const cut = (text: string, from: number, length: number): [string, string, string] => {
  const start = text.length === 0 ? 0 : from % text.length
  return [text.slice(0, start), text.slice(start, start + length), text.slice(start + length)]
}

const onStretch = (change: (middle: string) => string): fc.Arbitrary<Change> =>
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 12 })).map(([at, length]) => (text) => {
    const [before, middle, after] = cut(text, at, length)
    return before + change(middle) + after
  })

const inserted = (texts: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(fc.nat(), texts).map(([at, insert]) => (text) => {
    const [before, , after] = cut(text, at, 0)
    return before + insert + after
  })

/** Something torn out, doubled, moved or put in, wherever it falls. */
const damage = (documents: readonly string[], signs: readonly string[]): fc.Arbitrary<Change> =>
  fc.oneof(
    onLines((lines, one, other) => lines.splice(other, 0, lines[one]!)),
    onLines((lines, one, other) => lines.splice(other, 0, ...lines.splice(one, 1))),
    onLines((lines, one, other) => lines.splice(one, 1, '  '.repeat(other % 5) + lines[one]!.trimStart())),
    onStretch(() => ''),
    onStretch((middle) => middle + middle),
    onStretch((middle) => middle.split('').reverse().join('')),
    inserted(fc.oneof(word, fc.constantFrom(...signs))),
    inserted(
      fc.tuple(fc.constantFrom(...documents), fc.nat()).map(([other, from]) => cut(other, from, 200)[1]),
    ),
    fc.tuple(fc.nat(), fc.constantFrom(...ODD_VALUES)).map(([at, value]) => replaceNth(VALUE, at, value)),
  )

const changed = (documents: readonly string[], changes: fc.Arbitrary<Change[]>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...documents), changes)
    .map(([document, all]) => all.reduce((text, one) => one(text), document))

interface Door {
  readonly documents: readonly string[]
  /** Those of them that nothing is wrong with: one slip away from them is where the checks are at work. */
  readonly sound: readonly string[]
  readonly signs: readonly string[]
  readonly opening: string
}

function textFor({ documents, sound, signs, opening }: Door): fc.Arbitrary<string> {
  const any = fc.oneof(slip, damage(documents, signs))
  return fc.oneof(
    { weight: 1, arbitrary: noise },
    { weight: 2, arbitrary: soup(signs, opening) },
    { weight: 4, arbitrary: changed(sound, fc.array(slip, { minLength: 1, maxLength: 2 })) },
    { weight: 3, arbitrary: changed(documents, fc.array(any, { minLength: 1, maxLength: 5 })) },
  )
}

const soundIn = (documents: readonly string[], file: string): string[] =>
  documents.filter((text) => compileSource({ file, text }, readExample).program !== null)

export const hostileYaml = textFor({
  documents: YAML_DOCUMENTS,
  sound: soundIn(YAML_DOCUMENTS, 'a.yaml'),
  signs: YAML_SIGNS,
  opening: 'runbook: 1\nname: x\nsteps:\n',
})

export const hostileHcl = textFor({
  documents: HCL_DOCUMENTS,
  sound: soundIn(HCL_DOCUMENTS, 'a.hcl'),
  signs: HCL_SIGNS,
  opening: 'job "x" {\n',
})

const scenarios = textsIn('examples/scenarios', '.yaml')
export const hostileScenario = textFor({
  documents: scenarios,
  sound: scenarios,
  signs: YAML_SIGNS,
  opening: 'play:\n',
})

type Plain = Record<string, unknown>

const ROOT = 'the whole value'

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  maxDepth: 3,
})
const oddValue = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: count },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      null,
      undefined,
      true,
      -1,
      1.5,
      Number.NaN,
      Infinity,
      [],
      {},
      () => 1,
      Symbol(),
    ),
  },
  { weight: 1, arbitrary: anything },
)

/** Values as a TypeScript module might export them: a document with some nodes replaced, copied, added or gone. */
export function hostileValue(documents: readonly unknown[]): fc.Arbitrary<unknown> {
  const edit = fc.record({
    kind: fc.constantFrom('replace', 'copy', 'remove', 'add'),
    at: fc.nat(),
    from: fc.nat(),
    key: word,
    value: oddValue,
  })
  const edited = fc
    .tuple(fc.constantFrom(...documents), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([document, edits]) => {
      const holder: Plain = { [ROOT]: copyOf(document) }
      for (const { kind, at, from, key, value } of edits) {
        const spots = spotsIn(holder)
        const { parent, name } = spots[at % spots.length]!
        const source = spots[from % spots.length]!
        const child = parent[name]
        if (kind === 'replace') parent[name] = copyOf(value)
        else if (kind === 'copy') parent[name] = copyOf(source.parent[source.name])
        else if (kind === 'remove') remove(parent, name)
        else if (Array.isArray(child)) child.push(copyOf(value))
        else if (isPlain(child)) define(child, key, copyOf(value))
      }
      return holder[ROOT]
    })
  return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 6, arbitrary: edited })
}

const isPlain = (value: unknown): value is Plain =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/** Plain data is copied, so that no value holds itself; the rest is passed on. */
function copyOf(value: unknown): unknown {
  if (!isPlain(value)) return value
  if (Array.isArray(value)) return value.map(copyOf)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyOf(child)]))
}

/** Every place in the value that holds something, the root first. */
const spotsIn = (parent: Plain): { parent: Plain; name: string }[] =>
  Object.keys(parent).flatMap((name) => {
    const child = parent[name]
    return [{ parent, name }, ...(isPlain(child) ? spotsIn(child) : [])]
  })

/** No hole is left: what a module exports comes as JSON, and that has none. */
function remove(parent: Plain, name: string): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else if (name !== ROOT) delete parent[name]
}

/** As `JSON.parse` would: `__proto__` is a key too. */
const define = (object: Plain, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
