/**
 * The recipes of CONTRIBUTING.md are true: every place they name is there, and where they say that the compiler names
 * something, it does. A copy of the house gets one of each (an event, a driver, a route) that nobody has dealt with yet.
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

/** What stands after these words, up to the end of the item. */
function namedByCompiler(recipe: string): string[] {
  const items = (recipes.get(recipe) ?? '').split(/^\d\. /m)
  const told = items.flatMap((item) => item.split('The compiler names').slice(1))
  return [...new Set(told.flatMap(placesIn))].sort()
}

const ROUTE_PROBE = "\n  'GET /route-probe': {} as import('./route.ts').ApiRoute,"

const ROUTED = [
  ...['about', 'answer-link', 'course', 'decisions', 'entrance', 'events', 'repositories', 'runs', 'session'],
  'settings',
]

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
  'Add an HTTP route': [
    ...ROUTED.map(
      (noun) => [`src/model/api/${noun}.ts`, /^export const \w+_ROUTES = \{$/m, ROUTE_PROBE] as const,
    ),
    ['src/host/operations.ts', /^export interface Operations \{$/m, '\n  wordProbe(): void'],
    ['src/host/course/course.ts', /^export interface Course \{$/m, '\n  wordProbe(): void'],
    ['src/host/inbox/decisions.ts', /^export interface Decisions \{$/m, '\n  wordProbe(): void'],
  ],
  'Add a refusal': [['src/model/refusal.ts', /^export type RefusalCode =$/m, "\n  | 'refusal-probe'"]],
  'Add something people can do about a decision': [
    [
      'src/model/decision-command.ts',
      /^export type DecisionCommand =$/m,
      "\n  | (About & { readonly type: 'command-probe'; readonly by: Actor })",
    ],
  ],
  'Add a notification channel': [
    [
      'src/host/notices/channel.ts',
      /^export type Channel = Wishes &\n {2}\($/m,
      "\n    | { readonly kind: 'channel-probe' }",
    ],
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

/** What two of them name must be complained of twice: one complaint could be for the sake of the other. */
const recipesNaming = (page: string): number =>
  Object.keys(BEGUN).filter((recipe) => namedByCompiler(recipe).includes(page)).length

describe('the recipes of CONTRIBUTING.md', () => {
  it.each([...recipes.keys()])('%s: names only places that are there', (recipe) => {
    expect(placesIn(recipes.get(recipe)!).filter((place) => !existsSync(place))).toEqual([])
  })

  it('say what the compiler names only where that is tried here', () => {
    const saying = [...recipes.keys()].filter((recipe) => /the compiler/i.test(recipes.get(recipe)!))
    expect(saying.toSorted()).toEqual(Object.keys(BEGUN).toSorted())
  })

  it.each(Object.keys(BEGUN))('%s: the compiler names the places it says, each of them', (recipe) => {
    const named = namedByCompiler(recipe)
    expect(named).not.toEqual([])
    expect(named.filter((page) => (complaints.get(page)?.length ?? 0) < recipesNaming(page))).toEqual([])
  })

  it('leave out no place that the compiler names', () => {
    const told = new Set(Object.keys(BEGUN).flatMap(namedByCompiler))
    const inProduct = [...complaints.keys()].filter((page) => !/\.(test|fixture)\.ts$/.test(page))
    expect(inProduct.filter((page) => !told.has(page))).toEqual([])
  })
})
