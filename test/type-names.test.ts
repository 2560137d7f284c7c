/** One exported type of a name: whoever reads `Step` knows which, on any page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const DECLARED = /^export (?:interface|type|class) (\w+)/gm

it('declares no exported type twice under one name', () => {
  const pages = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.(test|fixture)\.tsx?$/.test(name),
  )
  const declared = new Map<string, string[]>()
  for (const page of pages)
    for (const [, name = ''] of readFileSync(join('src', page), 'utf8').matchAll(DECLARED))
      declared.set(name, [...(declared.get(name) ?? []), page])
  expect(declared.size).toBeGreaterThan(500)
  expect([...declared].filter(([, places]) => places.length > 1)).toEqual([])
})
