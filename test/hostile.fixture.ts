/**
 * Input that nobody meant: noise, the language's own words in any order, and real documents with a few things
 * broken. Everything is drawn by fast-check, so a seed brings the same input back and a failure shrinks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { FIELD_TYPES } from '../src/model/contract.ts'
import { FAULTS } from '../src/model/fault.ts'
import type { FileRead } from '../src/runbook/compile/scope.ts'
import { RUNBOOK } from '../src/runbook/language.ts'
import type { Shape } from '../src/runbook/shape.ts'

const here = (folder: string, ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))

/** Code blocks of the manual, as far as it is written. */
function snippets(language: string): string[] {
  const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'))
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')
  return pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(block)].map(([, text = '']) => text))
}

export const YAML_DOCUMENTS = [...here('examples', '.yaml'), ...here('examples/parts', '.yaml'), ...snippets('yaml')]
export const HCL_DOCUMENTS = [...here('examples', '.hcl'), ...here('test/spellings', '.hcl'), ...snippets('hcl')]
export const SCENARIOS = here('examples/scenarios', '.yaml')

const FILES: ReadonlyMap<string, string> = new Map(
  ['parts', 'prompts'].flatMap((folder) =>
    readdirSync(`examples/${folder}`).map((name) => [`${folder}/${name}`, readFileSync(`examples/${folder}/${name}`, 'utf8')]),
  ),
)

/** The files beside the examples, and no others. */
export function readExample(path: string): FileRead {
  const text = FILES.get(path)
  return text === undefined ? { kind: 'unreadable', why: 'does not exist' } : { kind: 'text', text, file: path }
}

export const textOfExample = (file: string): string | undefined => FILES.get(file)

function keysOf(shape: Shape): string[] {
  if (shape.kind === 'object') return Object.entries(shape.fields).flatMap(([key, child]) => [key, ...keysOf(child)])
  if (shape.kind === 'either') return shape.of.flatMap(keysOf)
  return 'of' in shape ? keysOf(shape.of) : []
}

/** What every object of JavaScript has: a name like any other to whoever writes a runbook. */
export const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']

const WORDS = [
  ...new Set([...keysOf(RUNBOOK), ...FAULTS, ...FIELD_TYPES, ...INHERITED]),
  ...['done', 'abandoned', 'ask', 'retry', 'develop', 'review', 'plan', 'dev', 'check', 'true', 'false', 'null', '~'],
  ...['0', '1', '-1', '1000', '1e999', '0x1F', '.inf', '.nan', '2026-01-01', '30m', '99999999999d', '0s', '""', "''"],
  ...['${var.task}', '${steps.review.notes}', '${steps.constructor.notes}', '${steps.toString.x ?? "y"}', '$${', '${'],
  ...['${file("x")}', '${var.a ?? ${var.b}}', '${issue.title', '"${run.base}"', "'${agent.name}'", 'prompts/plan.md'],
  ...['parts/review.yaml', 'prompts/', '../..', '/dev/zero', '$(x)', '`x`', 'a b', 'é', '\u{1F600}', '\u0000', '\uD800', '\u2028'],
]
const YAML_SIGNS = [':', ': ', '- ', '? ', '{', '}', '[', ']', ', ', '&a', '*a', '!!binary', '!!set', '!x', '|', '>-', '---', '...', '#', '<<: *a', '%YAML 9', '\t', '"', "'", '\\', '@', '`', '\r', '\uFEFF']
const HCL_SIGNS = ['=', ' = ', '{', '}', '[', ']', '(', ')', ',', '.', '"', '<<X', '<<-X', 'X', '%{ if', '/*', '*/', '//', '#', '? :', '==', '=>', '...', '*', '\\u0041', '\r', '\t']
const HCL_WORDS = ['job', 'step', 'agent', 'decision', 'option', 'depends_on', 'run', 'for', 'in', 'vars']

const word = (extra: readonly string[]) => fc.constantFrom(...WORDS, ...extra)

const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
)

const soup = (signs: readonly string[], opening: string): fc.Arbitrary<string> => {
  const token = fc.oneof({ weight: 3, arbitrary: word(HCL_WORDS) }, { weight: 2, arbitrary: fc.constantFrom(...signs) })
  const line = fc
    .tuple(fc.nat({ max: 4 }), fc.array(token, { minLength: 1, maxLength: 7 }), fc.constantFrom('', ' '))
    .map(([depth, tokens, glue]) => '  '.repeat(depth) + tokens.join(glue))
  return fc
    .tuple(fc.boolean(), fc.array(line, { maxLength: 14 }))
    .map(([opened, lines]) => (opened ? opening : '') + lines.join('\n'))
}

type Change = (text: string) => string

const cut = (text: string, from: number, length: number): [string, string, string] => {
  const start = text.length === 0 ? 0 : from % text.length
  return [text.slice(0, start), text.slice(start, start + length), text.slice(start + length)]
}

function onLines(change: (lines: string[], one: number, other: number) => void): fc.Arbitrary<Change> {
  return fc.tuple(fc.nat(), fc.nat()).map(([one, other]) => (text) => {
    const lines = text.split('\n')
    change(lines, one % lines.length, other % lines.length)
    return lines.join('\n')
  })
}

/** One thing broken, somewhere. */
const change = (documents: readonly string[], signs: readonly string[]): fc.Arbitrary<Change> => {
  const place = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 12 }))
  const value = fc.oneof(word([]), fc.constantFrom('[]', '{}', '[a, a]', '{ a: b }', '[[[]]]', '{ to: retry }', '{ to: retry, max: 1000, then: retry }'))
  return fc.oneof(
    onLines((lines, one) => lines.splice(one, 1)),
    onLines((lines, one, other) => lines.splice(other, 0, lines[one]!)),
    onLines((lines, one, other) => ([lines[one], lines[other]] = [lines[other]!, lines[one]!])),
    onLines((lines, one, other) => (lines[one] = '  '.repeat(other % 5) + lines[one]!.trimStart())),
    fc.tuple(fc.constantFrom(...documents), fc.nat(), fc.nat()).map(([other, from, to]) => (text) => {
      const [before, , after] = cut(text, to, 0)
      return before + cut(other, from, 200)[1] + after
    }),
    place.map(([at, length]) => (text) => cut(text, at, length)[0] + cut(text, at, length)[2]),
    place.map(([at, length]) => (text) => {
      const [before, middle, after] = cut(text, at, length)
      return before + middle + middle + after
    }),
    fc.tuple(fc.nat(), fc.oneof(word([]), fc.constantFrom(...signs))).map(([at, token]) => (text) => cut(text, at, 0)[0] + token + cut(text, at, 0)[2]),
    fc.tuple(fc.nat(), word([])).map(([at, token]) => replaceNth(/[A-Za-z_][\w-]*/g, at, () => token)),
    fc.tuple(fc.nat(), value).map(([at, token]) => replaceNth(/(?<=[:=] ?)[^\s,{}[\]]+/g, at, () => token)),
    fc.tuple(fc.nat(), fc.nat({ max: 1001 })).map(([at, number]) => replaceNth(/\b\d+\b/g, at, () => `${number}`)),
    fc.tuple(fc.nat(), fc.nat()).map(([at, other]) => (text) => {
      const words = text.match(/[A-Za-z_][\w-]*/g) ?? ['x']
      return replaceNth(/[A-Za-z_][\w-]*/g, at, () => words[other % words.length]!)(text)
    }),
  )
}

const replaceNth = (pattern: RegExp, nth: number, by: () => string): Change => (text) => {
  const count = text.match(pattern)?.length ?? 0
  let seen = 0
  return count === 0 ? text : text.replaceAll(pattern, (found) => (seen++ === nth % count ? by() : found))
}

const mutated = (documents: readonly string[], signs: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...documents), fc.array(change(documents, signs), { minLength: 1, maxLength: 5 }))
    .map(([document, changes]) => changes.reduce((text, one) => one(text), document))

const text = (documents: readonly string[], signs: readonly string[], opening: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 1, arbitrary: noise },
    { weight: 2, arbitrary: soup(signs, opening) },
    { weight: 5, arbitrary: mutated(documents, signs) },
  )

export const hostileYaml = text(YAML_DOCUMENTS, YAML_SIGNS, 'runbook: 1\nname: x\nsteps:\n')
export const hostileHcl = text(HCL_DOCUMENTS, HCL_SIGNS, 'job "x" {\n')
export const hostileScenario = text(SCENARIOS, YAML_SIGNS, 'play:\n')

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, maxDepth: 3 })
const odd = fc.oneof(
  { weight: 4, arbitrary: word([]) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, undefined, true, 0, -1, 1000, 1.5, Number.NaN, Infinity, '', [], {}, () => 1, Symbol('x')) },
  { weight: 1, arbitrary: anything },
)

/** Values as a TypeScript module might export them: a document with some nodes replaced, moved, doubled or gone. */
export const hostileValue = (documents: readonly Json[]): fc.Arbitrary<unknown> => {
  const edit = fc.record({ at: fc.nat(), from: fc.nat(), kind: fc.constantFrom('replace', 'copy', 'remove', 'add'), key: word([]), value: odd })
  const edited = fc
    .tuple(fc.constantFrom(...documents), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([document, edits]) => {
      const holder: Record<string, unknown> = { root: structuredClone(document) }
      for (const { at, from, kind, key, value } of edits) {
        const spots = spotsIn(holder)
        const { parent, key: name } = spots[at % spots.length]!
        const child = parent[name]
        const source = spots[from % spots.length]!
        if (kind === 'remove') delete parent[name]
        else if (kind === 'replace') parent[name] = value
        else if (kind === 'copy') parent[name] = structuredClone(source.parent[source.key])
        else if (typeof child === 'object' && child !== null) define(child as Record<string, unknown>, key, value)
      }
      return holder['root']
    })
  return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 6, arbitrary: edited })
}

interface Spot {
  readonly parent: Record<string, unknown>
  readonly key: string
}

/** Every place in the value that holds something, the root first. Only plain data is gone into. */
function spotsIn(parent: Record<string, unknown>): Spot[] {
  return Object.keys(parent).flatMap((key) => {
    const child = parent[key]
    const isPlain = Array.isArray(child) || (typeof child === 'object' && child !== null && Object.getPrototypeOf(child) === Object.prototype)
    return [{ parent, key }, ...(isPlain ? spotsIn(child as Record<string, unknown>) : [])]
  })
}

/** As `JSON.parse` would: `__proto__` is a key too. */
const define = (object: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
