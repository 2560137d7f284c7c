import { expect, it } from 'vitest'
import { closingLook } from './closing-look.ts'
import type { FileFindings } from './erase-files.ts'

const found = (files: string[], ...remains: string[]): FileFindings => ({ files, remains })

it.each<[string, FileFindings[], FileFindings]>([
  ['what the last look says remains', [found([], 'b is closed.')], found(['a'], 'b is closed.')],
  [
    'what was written meanwhile is erased, and counted once',
    [found(['a', 'c']), found([])],
    found(['a', 'c']),
  ],
  [
    'what is written on and on is named',
    [found(['a']), found(['a']), found(['a'], 'b is closed.')],
    found(
      ['a'],
      'b is closed.',
      'a gets it as often as it is overwritten: end what writes there, and do this again.',
    ),
  ],
])('[J12] %s', async (_, passes, told) => {
  const left = [...passes]
  expect(await closingLook(found(['a'], 'told by nobody'), async () => left.shift()!)).toEqual(told)
  expect(left).toEqual([])
})
