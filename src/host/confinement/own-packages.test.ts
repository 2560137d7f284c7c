import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ownPackages } from './own-packages.ts'

const ground = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-packages-')))
afterAll(() => rmSync(ground, { recursive: true, force: true }))

function lay(folder: string, dependencies: readonly string[]): string {
  const place = join(ground, 'node_modules', folder)
  mkdirSync(join(place, 'dist'), { recursive: true })
  const told = { dependencies: Object.fromEntries(dependencies.map((name) => [name, '1'])) }
  writeFileSync(join(place, 'package.json'), JSON.stringify(told))
  return place
}

it('[X1] are the package and what it depends on, beside it or in it, and nothing else that is installed there', () => {
  const own = lay('signalbox', ['@scope/wire', 'inner', 'missing'])
  const wire = lay('@scope/wire', ['deep'])
  const deep = lay('deep', ['@scope/wire'])
  const inner = lay('signalbox/node_modules/inner', [])
  lay('the-users-own', [])
  expect(ownPackages(join(own, 'dist/main.js')).toSorted()).toEqual([own, wire, deep, inner].toSorted())
})
