/** Characters that look like others, or like nothing, and come in with pasted text. */

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\t', 'a tab'],
  ['\u00a0', 'a no-break space'],
  ['\u00ad', 'a soft hyphen'],
  ['\u200b', 'a zero-width space'],
  ['\u200c', 'a zero-width non-joiner'],
  ['\u200d', 'a zero-width joiner'],
  ['\u2060', 'a word joiner'],
  ['\u202f', 'a narrow no-break space'],
  ['\u3000', 'an ideographic space'],
  ['\ufeff', 'a byte order mark'],
])

/** Spaces that are none to a parser, and marks that nobody sees. */
const ODD = /[\u00a0\u00ad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/

/** The first odd character of a text. */
export function oddCharacter(text: string): { readonly index: number; readonly name: string } | null {
  const index = text.search(ODD)
  return index === -1 ? null : { index, name: characterName(text[index]!) }
}

/** As it is shown in a message: itself, or what it is called where nobody would see it. */
export function characterName(character: string): string {
  const name = NAMES.get(character)
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  if (name !== undefined) return character === '\t' ? name : `${name} (${code})`
  if (character === ' ') return 'a space'
  return /[\p{C}\p{Z}]/u.test(character) ? code : `"${character}"`
}
