/** The walks of ARCHITECTURE.md: their pages are there and short, each names the next, and their counts are right. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const LONGEST = 250

interface ToldWalk {
  readonly title: string
  readonly pages: number
  readonly hops: number
  readonly arrows: readonly (readonly [from: string, to: string])[]
}

const walks: ToldWalk[] = [
  ...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(
    /^\*\*(?<title>.+?)\*\*: (?<pages>\d+) pages, (?<hops>\d+) hops[^\n]*\n\n```\n(?<walk>[\s\S]*?)```/gm,
  ),
].map(({ groups }) => ({
  title: groups!['title']!,
  pages: Number(groups!['pages']),
  hops: Number(groups!['hops']),
  arrows: groups!['walk']!.split('\n').flatMap((line) => {
    const places = [...line.replaceAll(/\([^)]*\)/g, '').matchAll(/[a-z-]+(?:\/[a-z-]+)+/g)].map(
      ([place]) => place,
    )
    return places.slice(1).map((to, index) => [places[index]!, to] as const)
  }),
}))

const textOf = (page: string): string => readFileSync(`src/${page}.ts`, 'utf8')

it('are three', () => {
  expect(walks).toHaveLength(3)
})

describe.each(walks)('$title', ({ pages, hops, arrows }) => {
  const met = [...new Set(arrows.flat())]

  it('has as many pages and hops as it says', () => {
    expect({ pages: met.length, hops: arrows.length }).toEqual({ pages, hops })
  })

  it('goes over pages that are there, none of them long', () => {
    expect(met.filter((page) => !existsSync(`src/${page}.ts`))).toEqual([])
    expect(met.filter((page) => textOf(page).split('\n').length - 1 > LONGEST)).toEqual([])
  })

  it('goes from each page to one that it names, or is handed', () => {
    const names = ([from, to]: readonly [string, string]): boolean =>
      new RegExp(`['/]${to.split('/').at(-1)}\\.ts'`).test(textOf(from)) || HANDED_IN.has(`${from} → ${to}`)
    expect(arrows.filter((arrow) => !names(arrow))).toEqual([])
  })
})

/** Through the front door of an area, or as a part of what a page is given to work with. */
const HANDED_IN: ReadonlySet<string> = new Set([
  'host/session/report → engine/attempt',
  'host/session/report → host/runs/runs',
  'host/session/record-turn → host/workspace/workplaces',
  'host/runs/runs → engine/decide',
  'host/runs/runs → engine/decision-in-run',
  'host/inbox/desk → host/runs/runs',
  'host/session/session → host/runs/runs',
])
