/** What a terminal in raw mode sends, as keys. */

export interface Key {
  /** The letter itself, or the key's name. */
  readonly name: string
  /** What it writes; empty for keys that write nothing. */
  readonly text: string
}

/** Longest first, so that a sequence is not taken for the Escape it begins with. */
const SEQUENCES: readonly (readonly [string, string])[] = [
  ['\u001B[5~', 'page-up'],
  ['\u001B[6~', 'page-down'],
  ['\u001B[A', 'up'],
  ['\u001B[B', 'down'],
  ['\u001B[C', 'right'],
  ['\u001B[D', 'left'],
  ['\u001BOA', 'up'],
  ['\u001BOB', 'down'],
  ['\u001BOC', 'right'],
  ['\u001BOD', 'left'],
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\u007F', 'backspace'],
  ['\b', 'backspace'],
  ['\u0003', 'ctrl-c'],
  ['\u0015', 'ctrl-u'],
  ['\u0017', 'ctrl-w'],
]

/** A terminal that was asked to says where pasted text begins and ends. */
const [PASTE, PASTED] = ['\u001B[200~', '\u001B[201~']

/** The rest of a paste is still to come. */
export const isHalf = (input: string): boolean => input.lastIndexOf(PASTE) > input.lastIndexOf(PASTED)

/** Everything in one piece of input: somebody may type fast. What was pasted is one key, so that it presses none. */
export function keysIn(input: string): readonly Key[] {
  const keys: Key[] = []
  for (let rest = input; rest !== ''; ) {
    if (rest.startsWith(PASTE)) {
      const end = rest.indexOf(PASTED)
      const text = rest.slice(PASTE.length, end < 0 ? undefined : end)
      keys.push({ name: 'paste', text: text.replaceAll(/[\p{Cc}]+/gu, ' ') })
      rest = end < 0 ? '' : rest.slice(end + PASTED.length)
      continue
    }
    const known = SEQUENCES.find(([sequence]) => rest.startsWith(sequence))
    const unknown = UNKNOWN.exec(rest)?.[0]
    if (known !== undefined) {
      keys.push({ name: known[1], text: '' })
      rest = rest.slice(known[0].length)
    } else if (unknown !== undefined) {
      if (unknown === '\u001B') keys.push({ name: 'escape', text: '' })
      rest = rest.slice(unknown.length)
    } else {
      const letter = String.fromCodePoint(rest.codePointAt(0)!)
      keys.push({ name: letter === ' ' ? 'space' : letter, text: letter })
      rest = rest.slice(letter.length)
    }
  }
  return keys
}

/** Other sequences, and control characters that mean nothing here. */
const UNKNOWN = /^\p{Cc}(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])?/u
