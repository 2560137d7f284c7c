/**
 * The recipes of CONTRIBUTING.md are true: every place they name is there, and where they say that the compiler names
 * the rest, it does. A copy of the house gets an event, a step option and a driver that nobody has dealt with yet.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './command.fixture.ts'

const recipes = new Map(
  readFileSync('CONTRIBUTING.md', 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

const placesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|docs|examples|scripts|bench|schema)\/[\w./-]*\w\/?)`/g)].map(
    ([, place]) => place!,
  )

/** What the sentence that begins so names, up to the next item. */
function namedByCompiler(recipe: string): string[] {
  const [, sentence = ''] =
    /The compiler names([\s\S]*?)(?=^\d\.|$(?![\s\S]))/m.exec(recipes.get(recipe) ?? '') ?? []
  return [...new Set(placesIn(sentence))].sort()
}

/** The recipe, the pages in which the first step of it is done here, and what is written there. */
const BEGUN: Readonly<Record<string, readonly (readonly [page: string, after: RegExp, text: string])[]>> = {
  'Add an event': [
    [
      'src/model/event.ts',
      /^export type RunEvent =$/m,
      "\n  | { readonly type: 'event-probe'; readonly at: number; readonly question: string }",
    ],
  ],
  'Add a step option': [
    ['src/model/program.ts', /^export interface Member .*\{$/m, '\n  readonly optionProbe: string'],
    ['src/model/program.ts', /^export interface CheckStep .*\{$/m, '\n  readonly optionProbe: string'],
    ['src/model/program.ts', /^export interface DecideStep .*\{$/m, '\n  readonly optionProbe: string'],
    ['src/model/program.ts', /^export interface FlowStep .*\{$/m, '\n  readonly optionProbe: string'],
  ],
  'Add a driver': [
    ['src/host/session/agent-program.ts', /^export const DRIVER_NAMES = \[/m, "'driver-probe', "],
  ],
}

const house = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-recipes-')))
const complaints = new Map<string, string[]>()

beforeAll(async () => {
  for (const name of ['package.json', 'tsconfig.json', 'src'])
    cpSync(name, join(house, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(house, 'node_modules'))
  for (const [page, after, text] of Object.values(BEGUN).flat()) {
    const before = readFileSync(join(house, page), 'utf8')
    expect(before).toMatch(after)
    writeFileSync(
      join(house, page),
      before.replace(after, (found) => `${found}${text}`),
    )
  }
  const { out } = await run(
    resolve('node_modules/.bin/tsc'),
    ['-p', 'tsconfig.json', '--pretty', 'false'],
    house,
  )
  for (const [, page = '', complaint = ''] of out.matchAll(/^(\S+)\(\d+,\d+\): error (.*)$/gm))
    complaints.set(page, [...(complaints.get(page) ?? []), complaint])
}, 120_000)

afterAll(() => rmSync(house, { recursive: true, force: true }))

describe('the recipes of CONTRIBUTING.md', () => {
  it.each([...recipes.keys()])('%s: names only places that are there', (recipe) => {
    expect(placesIn(recipes.get(recipe)!).filter((place) => !existsSync(place))).toEqual([])
  })

  it.each(Object.keys(BEGUN))('%s: the compiler names the places it says, each of them', (recipe) => {
    const named = namedByCompiler(recipe)
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((page) => !complaints.has(page))).toEqual([])
  })

  it('leave out no place that the compiler names', () => {
    const told = new Set(Object.keys(BEGUN).flatMap(namedByCompiler))
    const inProduct = [...complaints.keys()].filter((page) => !/\.(test|fixture)\.ts$/.test(page))
    expect(inProduct.filter((page) => !told.has(page))).toEqual([])
  })
})
