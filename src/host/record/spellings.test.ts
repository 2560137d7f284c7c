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

it('[J12] finds a text with half a character in it, as it is and as it is written where that cannot be', () => {
  const half = '\ud83d'
  for (const text of [`sk-live-${half}-77`, `sk-live-77${half}`, `${half}sk-live-77`, 'sk-live-77\ufffd']) {
    const found = createEdit([text])
    const said = JSON.stringify({ said: `a ${text} b`, deep: JSON.stringify({ text }) })
    expect(found.text(said)).not.toContain('sk-live')
    expect(found.text(said)).toContain(MARK)
    for (const bytes of [
      Buffer.from(`a ${text} b`),
      Buffer.from(encodeURIComponent(Buffer.from(text).toString())),
    ])
      expect(Buffer.from(found.bytes(bytes)!).toString()).not.toContain('sk-live')
  }
  // Cut in the middle of its last letter, as bytes are that are kept up to some number of them.
  const cut = Buffer.from('a sk-live-77🙂').subarray(0, -2)
  expect(Buffer.from(createEdit(['sk-live-77\ufffd']).bytes(cut)!).toString()).not.toContain('sk-live')
})

it('[J12] takes a text out of what is no JSON any more', () => {
  expect(edit.text(`{"said":${JSON.stringify(SECRET)},`)).toBe(`{"said":"${MARK}",`)
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
