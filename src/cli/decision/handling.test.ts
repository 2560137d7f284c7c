import { expect, it } from 'vitest'
import { undoneText } from './handling.ts'

it('says what was taken back, also where a host of an older version says nothing of the others', () => {
  expect(undoneText({ undone: ['d1'], late: [] })).toBe('is open again')
  expect(
    undoneText({ undone: ['d1', 'd2'], late: ['d3'], refused: [{ id: 'd4', problem: 'It was changed.' }] }),
  ).toBe(
    'is open again, 2 decisions in all; too late for d3: the answer is delivered; not d4: It was changed.',
  )
})
