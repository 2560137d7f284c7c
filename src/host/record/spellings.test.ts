import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEdit, MARK } from './spellings.ts'

const SECRET = 'sk-"live"/a+b=é\\n 99'
const edit = createEdit([SECRET])
const inBytes = (text: string): string => {
  const left = edit.bytes(Buffer.from(text))
  return left === null ? text : Buffer.from(left).toString()
}

it('[J12] finds a text as it is, within JSON however deep, percent-encoded and within Base64', () => {
  const deep = JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: SECRET }) }) })
  const ascii = `{"a":"${JSON.stringify(SECRET).slice(1, -1).replaceAll('é', '\\u00e9')}"}`
  for (const text of [SECRET, deep, ascii, encodeURIComponent(SECRET)]) {
    expect(inBytes(`before ${text} after`)).toContain(MARK)
    expect(inBytes(`before ${text} after`)).not.toContain('live')
  }
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const letters = Buffer.from(`${before}${SECRET}rest`).toString('base64')
    expect(inBytes(letters)).toContain(MARK)
  }
  expect(edit.bytes(Buffer.from('nothing of it'))).toBeNull()
})

it('[J12] changes strings of events and nothing else', () => {
  expect(
    JSON.parse(edit.text(JSON.stringify({ type: 'x', n: 1, said: [`a ${SECRET} b`], [SECRET]: null }))!),
  ).toEqual({
    type: 'x',
    n: 1,
    said: [`a ${MARK} b`],
    [MARK]: null,
  })
  expect(edit.text('{"type":"x"}')).toBeNull()
})

it('[J12] leaves bytes that are no text as they are around it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (before, after) => {
      const left = edit.bytes(Buffer.concat([before, Buffer.from(SECRET), after]))
      expect(Buffer.from(left!).equals(Buffer.concat([before, Buffer.from(MARK), after]))).toBe(true)
    }),
    { numRuns: 100 },
  )
})
