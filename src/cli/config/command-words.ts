/**
 * A command line of the config → its words. Quotation marks and backslashes mean what they mean in a shell, and
 * nothing else does: there is no shell, so what only a shell could do is told instead of being passed on as a word.
 */

export interface CommandWords {
  readonly words: readonly string[]
  /** What a shell would have done here and we do not. */
  readonly doubts: readonly string[]
}

export function splitWords(line: string): CommandWords | { readonly problem: string } {
  const words: string[] = []
  const doubts: string[] = []
  for (let at = skipSpace(line, 0); at < line.length; ) {
    const word = wordAt(line, at)
    if ('problem' in word) return word
    words.push(word.text)
    if (/^(?:&&?|\|\|?|;|\d?>>?.*|<.*)$/.test(word.bare))
      doubts.push(`"${word.bare}" is passed on as it stands`)
    else if (/\$[A-Za-z_{(]|`/.test(word.bare)) doubts.push(`"${word.bare}" is not expanded`)
    at = skipSpace(line, word.end)
  }
  const [program] = words
  if (program === undefined || program === '') return { problem: 'No program is named.' }
  if (line.includes('\0')) return { problem: 'A command line cannot hold a NUL character.' }
  if (/^[A-Za-z_]\w*=/.test(program))
    return { problem: `"${program}" is not a program. Variables belong under \`env:\`.` }
  return { words, doubts }
}

interface Word {
  readonly text: string
  /** Without what was quoted: only there would a shell see its signs. */
  readonly bare: string
  readonly end: number
}

function wordAt(line: string, start: number): Word | { readonly problem: string } {
  let [text, bare, at] = ['', '', start]
  while (at < line.length && !isSpace(line[at])) {
    const sign = line[at]
    if (sign === '\\') {
      if (at + 1 >= line.length) return { problem: 'The line ends with a backslash.' }
      text += line[at + 1]
      at += 2
    } else if (sign === "'" || sign === '"') {
      const quoted = sign === "'" ? /'([^']*)'/y : /"((?:[^"\\]|\\.)*)"/sy
      quoted.lastIndex = at
      const inner = quoted.exec(line)?.[1]
      if (inner === undefined) return { problem: `The quotation mark ${sign} is never closed.` }
      text += sign === "'" ? inner : inner.replaceAll(/\\(["\\$`])/g, '$1')
      at = quoted.lastIndex
    } else {
      text += sign
      bare += sign
      at++
    }
  }
  return { text, bare, end: at }
}

const isSpace = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign)

function skipSpace(line: string, from: number): number {
  let at = from
  while (isSpace(line[at])) at++
  return at
}
