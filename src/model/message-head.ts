/**
 * What a message of JSON-RPC that is too much says of itself: its id and its method, as they stand at its top. It is looked for piece
 * by piece and nothing is made of the rest, so whoever waits for an answer can be told why there is none.
 */
import { readJson } from './json-text.ts'

export interface MessageHead {
  readonly id?: string | number
  readonly method?: string
}

export const headOf = (text: string): MessageHead => createHeadFinder()(text)

/** Told the next piece of a message, it gives back what is known by then. */
export function createHeadFinder(): (piece: string) => MessageHead {
  const head: { id?: string | number; method?: string } = {}
  let open = 0
  let isObject = false
  let isInText = false
  let isEscaped = false
  /** What is being read at the top, as it is written. */
  let written = ''
  let name: string | null = null
  const write = (letter: string): void => {
    if (open === 1 && written.length <= LONGEST) written += letter
  }
  const endMember = (): void => {
    if (name !== null && written !== '' && written.length <= LONGEST) note(head, { name, written })
    name = null
    written = ''
  }
  const take = (letter: string): void => {
    if (isInText) {
      write(letter)
      isInText = isEscaped || letter !== '"'
      isEscaped = !isEscaped && letter === '\\'
    } else if (letter === '"') {
      isInText = true
      write(letter)
    } else if (letter === '{' || letter === '[') {
      if (open === 0) isObject = letter === '{'
      // What is no text and no number is nobody's id.
      if (open === 1) endMember()
      open++
    } else if (letter === '}' || letter === ']') {
      if (open === 1 && isObject) endMember()
      open--
    } else if (open === 1 && isObject) {
      if (letter === ',') endMember()
      else if (letter !== ':') write(letter)
      else {
        name = written
        written = ''
      }
    }
  }
  return (piece) => {
    for (let at = 0; at < piece.length; at++) take(piece[at]!)
    return { ...head }
  }
}

/** Longer ids than anybody has are none. */
const LONGEST = 4_096

function note(
  head: { id?: string | number; method?: string },
  { name, written }: { readonly name: string; readonly written: string },
): void {
  const [called, said] = [name, written].map((text) => {
    const read = readJson(text)
    return read.kind === 'value' ? read.value : undefined
  })
  if (called === 'id' && (typeof said === 'string' || typeof said === 'number')) head.id = said
  if (called === 'method' && typeof said === 'string') head.method = said
}
