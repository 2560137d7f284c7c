import { describe, expect, it } from 'vitest'
import { answerInMessage } from './fenced-json.ts'

const NOTHING = { kind: 'nothing' }
const value = (found: unknown) => ({ kind: 'value', value: found })
const fenced = (inside: string, language = 'json') => `\`\`\`${language}\n${inside}\n\`\`\``

describe('an answer in a message', () => {
  it.each([
    ['a block', `Done.\n${fenced('{ "verdict": "approve" }')}\nBye.`, { verdict: 'approve' }],
    ['a block without a language', fenced('{"a":1}', ''), { a: 1 }],
    ['a language in capitals', fenced('{"a":1}', ' JSON'), { a: 1 }],
    ['Windows lines', '```json\r\n{\r\n"a": 1\r\n}\r\n```\r\n', { a: 1 }],
    ['an indented block', '  1. so:\n   ```json\n   {"a": 1}\n   ```', { a: 1 }],
    ['the last of several', `${fenced('{"a":1}')}\nor rather\n${fenced('{"a":2}')}`, { a: 2 }],
    ['the last object, not what follows it', `${fenced('{"a":1}')}\n${fenced('npm test', '')}`, { a: 1 }],
    ['a block after code', `${fenced('const x = {}', 'ts')}\nso\n${fenced('{"a":1}')}`, { a: 1 }],
    ['nothing but JSON', ' {"a": {"b": [1]}}\n', { a: { b: [1] } }],
    ['a block after a mark inside a line', `Use \`\`\`x\`\`\` here.\n${fenced('{"a":1}')}`, { a: 1 }],
  ])('is found: %s', (_, message, found) => {
    expect(answerInMessage(message)).toEqual(value(found))
  })

  it.each([
    ['an empty message', ''],
    ['prose with braces', 'I put {it} into { braces } as you see'],
    ['JSON within prose', 'My answer is {"verdict":"approve"}.'],
    ['a block that is no object', fenced('[1, 2]')],
    ['a block of another language', fenced('{ "a": 1 }', 'yaml')],
    ['a block on one line', '```{"a":1}```'],
  ])('is not made up: %s', (_, message) => {
    expect(answerInMessage(message)).toEqual(NOTHING)
  })

  it('[A3] is malformed where it should have been JSON, which is not nothing', () => {
    expect(answerInMessage(fenced('{ verdict: approve }'))).toEqual({
      kind: 'malformed',
      text: '{ verdict: approve }',
    })
    expect(answerInMessage('{ so it begins }')).toMatchObject({ kind: 'malformed' })
    const long = answerInMessage(fenced(`{ ${'x'.repeat(50_000)} }`))
    expect(long.kind === 'malformed' && long.text.length).toBe(2000)
  })

  it('does not fall back to an earlier block when the last is malformed', () => {
    expect(answerInMessage(`${fenced('{"a":1}')}\n${fenced('{"a":')}`)).toMatchObject({ kind: 'malformed' })
  })

  it.each([
    ['openings that are never closed', '```json\n'.repeat(400_000)],
    ['blanks without end', `\`\`\`${' '.repeat(3_000_000)}`],
    ['blank lines without end', `\`\`\`json\n${'\n'.repeat(3_000_000)}`],
    ['braces without end', '{'.repeat(3_000_000)],
    ['blocks without end', `${fenced('{"a":1')}\n`.repeat(200_000)],
  ])('is looked for quickly in hostile text: %s', (_, message) => {
    const began = performance.now()
    answerInMessage(message)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('is found at the end of a message of any length', () => {
    expect(answerInMessage(`${'word '.repeat(500_000)}\n${fenced('{"a":1}')}`)).toEqual(value({ a: 1 }))
  })
})
