/** Why a word cannot be a name, and a name that is near it. */
import { characterName } from '../odd-characters.ts'

/** Names of steps, options, agents and the like. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const LONGEST = 64

/** What every object already has would be found where nothing was declared. */
const isTaken = (name: string): boolean => name in Object.prototype

export const isName = (name: string): boolean => NAME.test(name) && !isTaken(name)

/** `shown` is the name as a message may show it. */
export function badName(
  name: string,
  { noun, shown }: { readonly noun: string; readonly shown: string },
): { readonly message: string; readonly help: string } {
  const cannot = `"${shown}" cannot name ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
  if (isTaken(name)) return { message: `${cannot}.`, help: 'The word is taken; choose another.' }
  const near = nearName(name)
  return {
    message: `${cannot}: ${why(name)}.`,
    help: `A name starts with a letter from a to z and goes on with such letters, digits, - and _, ${LONGEST} at most${near === '' ? '' : `: ${near}`}.`,
  }
}

function why(name: string): string {
  if (name === '') return 'it is empty'
  const wrong = Array.from(name).find((character) => !/[A-Za-z0-9_-]/.test(character))
  if (wrong !== undefined) return `${characterName(wrong)} is not allowed in a name`
  if (!/^[A-Za-z]/.test(name)) return `it starts with "${name[0]}"`
  return `it has ${name.length} characters`
}

const SPELLED_OUT: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['ł', 'l'],
])

/** Without accents, and with _ for what has no letter of its own; empty where nothing of it is left. */
function nearName(name: string): string {
  const letters = Array.from(name.normalize('NFC').slice(0, 2 * LONGEST), (character) => {
    const plain = SPELLED_OUT.get(character.toLowerCase())
    if (plain === undefined) return character.normalize('NFD').replaceAll(/\p{M}/gu, '')
    return character === character.toLowerCase() ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)
  })
  const near = letters
    .join('')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^[^A-Za-z]+|_+$/g, '')
    .slice(0, LONGEST)
  return isName(near) ? near : ''
}
