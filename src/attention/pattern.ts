/**
 * The pattern of texts that were alike: the same words, and where they differed, what may stand there. A place stands only
 * for the narrow kind of what was seen in it (`slot.ts`), and what never differed stands as it was; so a pattern fits
 * little more than what it was learnt from. `{` and `}` of a text itself are written twice.
 */
import { narrowest, SLOT_KINDS, type SlotKind, slotSource } from './slot.ts'
import { wordsOf } from './words.ts'

/** `Update lockfile 12?` → `Update lockfile {number}?` Texts that have the same are alike, and others are not. */
export const outlineOf = (text: string): string =>
  wordsOf(text)
    .map(({ kind, text }) => (kind === null ? written(text) : `{${kind}}`))
    .join('')

/** Null where they are not alike, or differ in more than a pattern can say. */
export function patternOf(texts: readonly string[]): string | null {
  const rows = texts.map(wordsOf)
  const [first] = rows
  if (first === undefined || new Set(texts.map(outlineOf)).size > 1) return null
  let pattern = ''
  for (const [index, { kind, text }] of first.entries()) {
    const values = [...new Set(rows.map((words) => words[index]!.text))]
    if (kind === null || values.length === 1) pattern += written(text)
    else {
      const narrow = narrowest(kind, values)
      if (narrow === null) return null
      pattern += `{${kind} ${narrow}}`
    }
  }
  return pattern
}

/** A text that nothing but itself fits. */
export const written = (text: string): string => text.replaceAll(/[{}]/g, (brace) => brace + brace)

export const patternFits = (pattern: string, text: string): boolean => compiled(pattern).test(text)

const SLOT = new RegExp(
  `\\{\\{|\\}\\}|\\{(?<kind>${SLOT_KINDS.join('|')})(?: (?<narrow>[^{}]*))?\\}|[\\s\\S]`,
  'gu',
)

function compiled(pattern: string): RegExp {
  const source = Array.from(pattern.matchAll(SLOT), ({ 0: found, groups }) => {
    const kind = groups?.['kind'] as SlotKind | undefined
    if (kind !== undefined) return slotSource(kind, groups?.['narrow'] ?? null)
    return literal(found === '{{' || found === '}}' ? found[0]! : found)
  }).join('')
  return new RegExp(`^(?:${source})$`, 'u')
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
