import { expect, it } from 'vitest'
import { sizeText } from './size.ts'

it.each([
  [0, '0 B'],
  [512, '512 B'],
  [1536, '1.5 KiB'],
  [20 * 1024 * 1024, '20 MiB'],
  [5.25 * 1024 ** 3, '5.3 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
