/**
 * What an agent tells of one tool call adds up over its updates, in any order and place: the command may stand in `rawInput`, in
 * the text of its content or come only with a later update, and a request for permission may carry nothing but the id.
 */
import { firstCharacters } from '../../model/characters.ts'
import { MAX_PERMISSION_CONTEXT } from '../../model/decision.ts'
import { readJson } from '../../model/json-text.ts'
import type { Permission } from '../driver.ts'
import type { HeardUpdate } from './session-update.ts'

export interface ToldOfTool {
  readonly input: unknown
  readonly deed: string | null
  readonly names: readonly string[]
  readonly texts: readonly string[]
  readonly files: readonly string[]
}

export const NOTHING_TOLD: ToldOfTool = { input: null, deed: null, names: [], texts: [], files: [] }

export function addTo(told: ToldOfTool, heard: Extract<HeardUpdate, { kind: 'tool' }>): ToldOfTool {
  const { deed, name, texts, files } = heard.about
  const inputs = texts.map(objectIn)
  const written = inputs.findLast((each) => each !== null) ?? null
  return {
    input: isSaid(heard.input) ? heard.input : (written ?? told.input),
    // Once it is said to touch something, a milder word does not take that back.
    deed: told.deed !== null && told.deed !== 'other' ? told.deed : (deed ?? told.deed),
    names: plus(
      told.names,
      [heard.title, name].flatMap((each) => each ?? []),
    ),
    texts: plus(
      told.texts,
      texts.filter((_, index) => inputs[index] === null).map((text) => firstCharacters(text, LONGEST_TEXT)),
    ),
    files: plus(told.files, files),
  }
}

/** As a request for permission tells it; what the options are called is told with it. */
export const toldIn = (
  told: ToldOfTool,
  options: readonly { readonly name: string }[],
): Pick<Permission, 'input' | 'deed' | 'names' | 'texts' | 'files'> => ({
  ...told,
  names: [...told.names, ...options.map(({ name }) => name)],
})

/** More than a person is shown of it. */
const MOST = 50
/** More than a card takes, so that a text that was cut here cannot be allowed. */
const LONGEST_TEXT = MAX_PERMISSION_CONTEXT + 1

const plus = (known: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((each) => known.includes(each)) ? known : [...new Set([...known, ...more])].slice(-MOST)

/** An input that is announced before it is known is empty. */
const isSaid = (input: unknown): boolean =>
  input !== null && input !== undefined && !(typeof input === 'object' && Object.keys(input).length === 0)

/** Some write what a tool is called with as the text of its content. */
function objectIn(text: string): object | null {
  if (!text.startsWith('{') || text.length > LONGEST_INPUT) return null
  const read = readJson(text)
  return read.kind === 'value' ? (read.value as object) : null
}

const LONGEST_INPUT = 100_000
