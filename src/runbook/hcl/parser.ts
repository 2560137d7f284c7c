/**
 * Bodies of attributes and blocks. Two things are freer than HashiCorp's parser has them: parts of a body may
 * stand on one line (`option "merge" { description = "…" recommended = true }`), and blocks keep their order. After
 * a fault it goes on at the next line, so that one reading reports every fault of the file.
 */

import { oddCharacter } from '../odd-characters.ts'
import { createCursor } from './cursor.ts'
import { createDepth } from './depth.ts'
import { type Reading, readValue, refuse } from './expression.ts'
import type { Token } from './lexer.ts'
import { createNames } from './names.ts'
import type { Problems } from './problems.ts'
import type { Attribute, Block, BlockBody, BodyPart, Label } from './syntax.ts'

export function parseHcl(source: string, problems: Problems): BlockBody {
  const cursor = createCursor(source, problems)
  return readBody({ cursor, problems, depth: createDepth(problems) }, null)
}

/** The parts up to the } that belongs to `open`, or to the end of the file where nothing is open. */
function readBody(reading: Reading, open: Token | null): BlockBody {
  const { cursor, problems, depth } = reading
  const parts: BodyPart[] = []
  const names = createNames(problems)
  for (;;) {
    cursor.skipNewlines()
    const token = cursor.peek()
    if (token.kind === 'end') {
      if (open !== null) depth.unclosed(open, token)
      return parts
    }
    if (cursor.isMark('}')) {
      cursor.next()
      if (open !== null) return parts
      problems.syntax({
        at: token.at,
        message: 'This } closes nothing.',
        help: 'Remove it, or open the block it closes.',
      })
      continue
    }
    const part = token.kind === 'name' ? readPart(reading) : strayToken(reading)
    if (part !== null && (part.kind === 'block' || names.isNew(part))) parts.push(part)
  }
}

const FORMS = 'Write name = value, or name { … }.'

function strayToken({ cursor, problems }: Reading): null {
  const token = cursor.next()
  if (token.kind === 'mark' && token.value === ',') {
    problems.syntax({
      at: token.at,
      message: 'No comma stands between the parts of a block.',
      help: 'Remove it.',
    })
    return null
  }
  const odd = oddCharacter(`${token.value}`)
  if (token.kind === 'mark' && odd !== null) {
    const cure = 'Replace it by a plain space, or remove it.'
    problems.syntax({ at: token.at, message: `Here stands ${odd.name}.`, help: cure })
    cursor.skipLine()
    return null
  }
  const help = token.kind === 'text' ? 'The name of an attribute or block stands without quotes.' : FORMS
  const message = 'Here an attribute (name = value) or a block (name { … }) begins.'
  problems.syntax({ at: token.at, message, help })
  cursor.skipLine()
  return null
}

function readPart(reading: Reading): BodyPart | null {
  const { cursor, problems } = reading
  const help = cursor.startsLine() ? undefined : 'Text stands in double quotes.'
  const name = cursor.next()
  if (cursor.isMark('=') || cursor.isMark(':')) {
    const sign = cursor.next()
    if (sign.value === ':')
      problems.syntax({
        at: sign.at,
        message: 'An attribute is set with =.',
        help: `Write ${name.value} = ….`,
      })
    return readAttribute(reading, name)
  }
  return readBlock(reading, { name, help })
}

function readAttribute(reading: Reading, name: Token): Attribute | null {
  const { cursor, problems } = reading
  const value = readValue(reading)
  if (value === null) {
    cursor.skipLine()
    return null
  }
  const following = cursor.peek()
  if (following.kind === 'mark' && following.value !== '}' && following.value !== ',') {
    refuse(problems, following)
    cursor.skipLine()
  }
  return { kind: 'attribute', name: `${name.value}`, at: name.at, value }
}

interface Heading {
  readonly name: Token
  readonly help: string | undefined
}

function readBlock(reading: Reading, heading: Heading): Block | null {
  const { cursor, depth } = reading
  const { name } = heading
  const labels: Label[] = []
  while (cursor.peek().kind === 'text' || cursor.peek().kind === 'name') labels.push(readLabel(reading))
  const open = openBlock(reading, heading)
  if (open === null) return null
  const block = { kind: 'block', type: `${name.value}`, at: name.at, labels } as const
  if (!depth.enter(open)) {
    cursor.skipPast('}')
    return { ...block, body: [] }
  }
  const body = readBody(reading, open)
  depth.leave()
  return { ...block, body }
}

/** Names are no templates, so the escape $${ is resolved in them. */
function readLabel({ cursor, problems }: Reading): Label {
  const { kind, value, at } = cursor.next()
  const text = `${value}`
  if (kind === 'text' && /(?<!\$)\$\{/.test(text)) {
    problems.syntax({ at, message: 'A name is plain text: it holds no ${…}.' })
  }
  return { text: text.replaceAll('$${', '${'), at }
}

/** Takes the block's {. Where something else stands there, a { further on its line is still taken for it. */
function openBlock({ cursor, problems }: Reading, { name, help }: Heading): Token | null {
  if (cursor.isMark('{')) return cursor.next()
  if (cursor.peek().kind === 'newline' && cursor.isMark('{', 1)) {
    problems.syntax({ at: cursor.peek(1).at, message: `This { belongs on the line of ${name.value}.` })
    cursor.next()
    return cursor.next()
  }
  const found = cursor.peek()
  const at = endsHeading(found) ? name.at : found.at
  if (cursor.isMark('=') && cursor.isMark('{', 1)) {
    problems.syntax({
      at,
      message: `A block ${name.value} has no =.`,
      help: `Write ${name.value} "NAME" { … }.`,
    })
    cursor.next()
    return cursor.next()
  }
  problems.syntax({ at, message: `After ${name.value} comes = and a value, or { and a block.`, help })
  while (!endsHeading(cursor.peek()) && !cursor.isMark('=') && !cursor.isMark('{')) cursor.next()
  if (cursor.isMark('{')) return cursor.next()
  cursor.skipLine()
  return null
}

const endsHeading = (token: Token): boolean =>
  token.kind === 'newline' || token.kind === 'end' || (token.kind === 'mark' && token.value === '}')
