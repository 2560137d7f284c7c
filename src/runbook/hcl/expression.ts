/**
 * Values: literals, lists, objects, and look-ups such as `var.issue` or `file("x")`, which become the text
 * `${…}` that the compiler reads in every syntax. There is no arithmetic: a runbook says, it does not compute.
 */

import { oddCharacter } from '../odd-characters.ts'
import { closes, opens, type TokenCursor } from './cursor.ts'
import type { Depth } from './depth.ts'
import type { Token } from './lexer.ts'
import { createNames } from './names.ts'
import type { Problems } from './problems.ts'
import type { Attribute, Expression } from './syntax.ts'

export interface Reading {
  readonly cursor: TokenCursor
  readonly problems: Problems
  readonly depth: Depth
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Null where no value could be read: the fault is reported, and getting past it is left to the caller. */
export function readValue(reading: Reading): Expression | null {
  const { cursor, problems } = reading
  const token = cursor.peek()
  if (token.kind === 'text') {
    cursor.next()
    const { at, value, lookUps } = token
    return { kind: 'literal', at, value, ...(lookUps === null ? {} : { lookUps }) }
  }
  if (token.kind === 'number') {
    cursor.next()
    return numberLiteral(token.at, token.value, token.written)
  }
  const word = token.kind === 'name' ? WORDS.get(token.value) : undefined
  if (word !== undefined) {
    cursor.next()
    return { kind: 'literal', at: token.at, value: word }
  }
  if (token.kind === 'name' && !isFor(cursor)) return readLookUp(reading)
  const number = cursor.peek(1)
  if (cursor.isMark('-') && number.kind === 'number') {
    cursor.next()
    cursor.next()
    return numberLiteral(token.at, -number.value, `-${number.written}`)
  }
  if (cursor.isMark('[')) return readList(reading)
  if (cursor.isMark('{')) return readObject(reading)
  refuse(problems, token)
  return null
}

const numberLiteral = (at: Token['at'], value: number, written: string): Expression => ({
  kind: 'literal',
  at,
  value,
  ...(written === `${value}` ? {} : { written }),
})

export function refuse(problems: Problems, token: Token): void {
  const { at, kind, value } = token
  const odd = oddCharacter(`${value}`)
  if (kind === 'newline' || kind === 'end')
    problems.syntax({
      at,
      message: 'A value is missing here.',
      help: 'Write it after the =, on the same line.',
    })
  else if (`${value}`.length === 1 && QUOTES.includes(`${value}`))
    problems.syntax({
      at,
      message: 'Text stands in double quotes.',
      help: 'Write " at its beginning and at its end.',
    })
  else if (odd !== null)
    problems.syntax({
      at,
      message: `Here stands ${odd.name}.`,
      help: 'Replace it by a plain space, or remove it.',
    })
  else problems.syntax({ at, message: ONLY_VALUES, help: COMPUTE })
}

/** What word processors make of a quote. */
const QUOTES = "'`‘’‚“”„«»"

const COMPUTE = 'Write the value itself; what has to be computed is computed by a command.'

const ONLY_VALUES =
  'Only literals, lists, objects, look-ups such as var.x and file("…") are allowed: nothing is computed here.'

const isFor = (cursor: TokenCursor): boolean => {
  const token = cursor.peek()
  return token.kind === 'name' && token.value === 'for' && cursor.peek(1).kind === 'name'
}

function readLookUp({ cursor, problems }: Reading): Expression | null {
  const first = cursor.next()
  let end = first.end
  for (;;) {
    const following = cursor.peek(1).kind
    if (cursor.isMark('.') && (following === 'name' || following === 'number')) {
      cursor.next()
      end = cursor.next().end
    } else if (cursor.isMark('[') || cursor.isMark('(')) {
      const open = cursor.next()
      const close = closeOnLine(cursor)
      if (close === null) {
        problems.syntax({ at: open.at, message: `This ${open.value} is not closed on its line.` })
        return null
      }
      end = close.end
    } else {
      const value = `\${${cursor.slice(first.start, end)}}`
      return {
        kind: 'literal',
        at: first.at,
        value,
        ...(end === first.end ? { word: `${first.value}` } : {}),
      }
    }
  }
}

function closeOnLine(cursor: TokenCursor): Token | null {
  for (let level = 1; cursor.peek().kind !== 'newline' && cursor.peek().kind !== 'end'; ) {
    const token = cursor.next()
    level += opens(token) ? 1 : closes(token) ? -1 : 0
    if (level === 0) return token
  }
  return null
}

function readList(reading: Reading): Expression {
  const { cursor, problems, depth } = reading
  const open = cursor.next()
  const items: Expression[] = []
  const list: Expression = { kind: 'list', at: open.at, items }
  if (!depth.enter(open)) {
    cursor.skipPast(']')
    return list
  }
  for (;;) {
    cursor.skipNewlines()
    if (cursor.isMark(']')) {
      cursor.next()
      break
    }
    if (endsList(cursor)) {
      depth.unclosed(open, cursor.peek())
      break
    }
    const item = readValue(reading)
    if (item !== null) items.push(item)
    cursor.skipNewlines()
    if (item !== null && cursor.isMark(',')) cursor.next()
    else if (item !== null && startsValue(cursor.peek()) && !endsList(cursor)) {
      problems.syntax({
        at: cursor.peek().at,
        message: 'A comma is missing before this.',
        help: 'Items of a list are parted by commas.',
      })
    } else if (!cursor.isMark(']') && !endsList(cursor)) {
      if (item !== null) refuse(problems, cursor.peek())
      cursor.skipPast(']')
      break
    }
  }
  depth.leave()
  return list
}

/** A line that begins `name =`, `name {` or `name "label"` shows that the list before it was never closed. */
function endsList(cursor: TokenCursor): boolean {
  if (cursor.peek().kind === 'end') return true
  if (!cursor.startsLine() || cursor.peek().kind !== 'name') return false
  return cursor.isMark('=', 1) || cursor.isMark('{', 1) || cursor.peek(1).kind === 'text'
}

const startsValue = (token: Token): boolean =>
  token.kind === 'text' ||
  token.kind === 'number' ||
  token.kind === 'name' ||
  (token.kind === 'mark' && (token.value === '[' || token.value === '{'))

function readObject(reading: Reading): Expression {
  const { cursor, problems, depth } = reading
  const open = cursor.next()
  const fields: Attribute[] = []
  const object: Expression = { kind: 'object', at: open.at, fields }
  if (!depth.enter(open)) {
    cursor.skipPast('}')
    return object
  }
  const names = createNames(problems)
  for (;;) {
    cursor.skipNewlines()
    if (cursor.isMark('}')) {
      cursor.next()
      break
    }
    if (cursor.peek().kind === 'end') {
      depth.unclosed(open, cursor.peek())
      break
    }
    if (isFor(cursor)) {
      refuse(problems, cursor.peek())
      cursor.skipPast('}')
      break
    }
    const field = readField(reading)
    if (field === null) cursor.skipField()
    else if (names.isNew(field)) fields.push(field)
    endField(reading)
  }
  depth.leave()
  return object
}

function readField(reading: Reading): Attribute | null {
  const { cursor, problems } = reading
  const key = cursor.peek()
  if (key.kind === 'mark') {
    refuse(problems, key)
    return null
  }
  cursor.next()
  if (!cursor.isMark('=') && !cursor.isMark(':')) {
    const message = `After the key ${key.value} comes = and its value.`
    problems.syntax({ at: cursor.peek().at, message, help: `Write ${key.value} = ….` })
    return null
  }
  cursor.next()
  const value = readValue(reading)
  return value === null ? null : { kind: 'attribute', name: `${key.value}`, at: key.at, value }
}

function endField({ cursor, problems }: Reading): void {
  const { kind, at } = cursor.peek()
  const isEnd = kind === 'newline' || kind === 'end' || cursor.isMark('}')
  cursor.skipNewlines()
  if (cursor.isMark(',')) cursor.next()
  else if (isEnd) return
  else if (kind !== 'mark')
    problems.syntax({
      at,
      message: 'A comma or a new line is missing before this.',
      help: 'Fields of an object are parted by either.',
    })
  else {
    refuse(problems, cursor.peek())
    cursor.skipField()
  }
}
