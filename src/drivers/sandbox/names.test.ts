/** The name server by what it answers to, and what it leaves unanswered; a real one is asked in doorway.test.ts. */
import { expect, it } from 'vitest'
import { parseDnsQuestion } from './names.ts'

function query(name: string, { type = 1, flags = 0x100, count = 1 } = {}): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(flags, 2)
  head.writeUInt16BE(count, 4)
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'))
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, type, 0, 1])])
}

it('[D24] reads the name and type of one question', () => {
  expect(parseDnsQuestion(query('Registry.npmjs.ORG', { type: 28 }))).toEqual({
    name: 'registry.npmjs.org',
    type: 28,
    end: 36,
  })
})

it.each([
  ['an answer', query('a.example', { flags: 0x8100 })],
  ['two questions', query('a.example', { count: 2 })],
  ['the root', Buffer.concat([query('a').subarray(0, 12), Buffer.from([0, 0, 1, 0, 1])])],
  ['a line break', query('a\r\nx-header: 1.example')],
  ['a space', query('a b.example')],
  ['bytes beyond ASCII', query('\xe9.example')],
  ['a pointer', Buffer.concat([query('a').subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])],
  ['a name that is too long', query(Array(70).fill('abcd').join('.'))],
])('[D24] leaves %s unanswered', (_, packet) => {
  expect(parseDnsQuestion(packet)).toBeNull()
})

it('[D24] leaves whatever is cut off, or chance, unanswered', () => {
  const whole = query('registry.npmjs.org')
  for (let length = 0; length < whole.length; length++)
    expect(parseDnsQuestion(whole.subarray(0, length))).toBeNull()
})
