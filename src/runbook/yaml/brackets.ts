/** Slips around { } and [ ]: what was opened and never closed, commas left out, look-ups that need quotes there. */
import type { CST } from 'yaml'
import { brief } from '../language/shape.ts'
import type { Complaint, YamlTrouble } from './complaint.ts'

/** `{ max: 2 then: x }`: to YAML the value goes on to the next colon. */
export function gluedPair({ text, start }: Complaint): YamlTrouble | null {
  const [, value, between, key] =
    /^([^:,{}[\]]*?[^:,{}[\]\s])(\s+)("?[\w-]+"?)\s*:/.exec(text.slice(start, start + 500)) ?? []
  if (value === undefined || between === undefined || key === undefined) return null
  return {
    offset: start + value.length + between.length,
    message: `A comma is missing before \`${key}\`.`,
    help: `Write \`${brief(value)}, ${key}: …\`.`,
  }
}

export function missingComma({ message, start }: Complaint): YamlTrouble | null {
  if (!/^Missing , |^Unexpected (?:double|single)-quoted-scalar token/.test(message)) return null
  return {
    offset: start,
    message: 'A comma is missing before this.',
    help: 'Items and pairs in brackets are parted by commas.',
  }
}

export function unclosedBracket({ message, tokens, start }: Complaint): YamlTrouble | null {
  const [, sign] =
    /(?:must be sufficiently indented and|Expected flow .* to) end with a? ?([}\]])/.exec(message) ?? []
  if (sign === undefined) return null
  const crossed = tokens.findLast(
    (one) => one.type === 'flow-collection' && one.offset < start && isCrossed(one),
  )
  if (crossed?.type === 'flow-collection')
    return {
      offset: crossed.offset,
      message: `This ${crossed.start.source} is closed by ${crossed.end[0]!.source}.`,
      help: `Write ${closing(crossed)} where it ends.`,
      last: true,
    }
  const open = tokens.findLast(
    (one) =>
      one.type === 'flow-collection' &&
      one.offset < start &&
      one.end.every(({ type }) => !type.startsWith('flow-')),
  )
  if (open?.type !== 'flow-collection') return null
  return {
    offset: open.offset,
    message: `This ${open.start.source} is never closed.`,
    help: `Write ${closing(open)} where it ends; what stands in it is indented deeper than the key before it.`,
    last: true,
  }
}

const closing = ({ start }: CST.FlowCollection): string => (start.source === '{' ? '}' : ']')

/** To YAML each closing sign ends whatever is open. */
const isCrossed = (one: CST.FlowCollection): boolean =>
  one.end.some(({ type, source }) => type.startsWith('flow-') && source !== closing(one))

export function strayBracket({ text, message, start }: Complaint): YamlTrouble | null {
  const sign = text[start] ?? ''
  if (!message.includes('in YAML stream') || !'}]'.includes(sign) || sign === '') return null
  return {
    offset: start,
    message: `This ${sign} closes nothing.`,
    help: 'Remove it, or open what it closes.',
    last: true,
  }
}

export function lookUpInBrackets({ text, start, message }: Complaint): YamlTrouble | null {
  if (text[start] !== '{' || text[start - 1] !== '$' || !message.includes('at node end')) return null
  return {
    offset: start - 1,
    message: 'Between { } or [ ] a text with ${…} stands in quotes.',
    help: 'Quote the whole text, or write each key on a line of its own.',
    last: true,
  }
}

export const isInFlow = ({ tokens, start }: Complaint): boolean =>
  tokens.some(
    (one) =>
      one.type === 'flow-collection' && one.offset < start && (one.end[0]?.offset ?? Infinity) >= start,
  )
