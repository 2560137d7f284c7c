/** An answer in the words of a message: its last fenced JSON block, or a message that is nothing but JSON. Pure. */
import type { RawAnswer } from '../../model/answer.ts'
import { EXCESS_TEXT, readJson } from '../../model/json-text.ts'

const LONGEST = 200_000

export function answerInMessage(message: string): RawAnswer {
  const text = message.slice(-LONGEST)
  const last = fencedBlocks(text).findLast((block) => block.startsWith('{'))
  if (last !== undefined) return parsed(last)
  const whole = text.trim()
  return whole.startsWith('{') && whole.endsWith('}') ? parsed(whole) : { kind: 'nothing' }
}

/** Line by line: an agent's text may be hostile, and an expression that looks ahead can be made to look for hours. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = []
  let language: string | null = null
  let inside: string[] = []
  for (const line of text.split('\n')) {
    const mark = line.trim()
    if (language === null) {
      language = languageOf(mark)
      inside = []
    } else if (mark === FENCE) {
      if (language === '' || language === 'json') blocks.push(inside.join('\n').trim())
      language = null
    } else inside.push(line)
  }
  return blocks
}

const FENCE = '```'

/** Null for a line that opens no block. */
function languageOf(mark: string): string | null {
  if (!mark.startsWith(FENCE)) return null
  const word = mark.slice(FENCE.length).trim().toLowerCase()
  return word.includes('`') ? null : word
}

function parsed(text: string): RawAnswer {
  const read = readJson(text)
  if (read.kind === 'value') return read
  const why = read.kind === 'excess' ? `(It was not read: it is ${EXCESS_TEXT[read.excess]}.)` : null
  return { kind: 'malformed', text: why ?? text.slice(0, 2000) }
}
