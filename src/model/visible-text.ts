/**
 * The one place that decides which letters of a text can be seen. A text that an agent, a repository or a website wrote can
 * hold letters without a shape, and marks that reorder their neighbours, so that a person reads something else than what is
 * there. Each door (terminal, web, answer page, notices) shows such a letter by its name: U+202E.
 */

/** Kept: an emoji that is drawn as a picture, and the joiner between two pictures. */
const PICTURE_MARK = String.raw`(?<=[\p{Emoji}\p{Emoji_Modifier}])\uFE0F`
const PICTURE_JOINER = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`

/** Lines and tabs are seen. A carriage return is seen only as half of a line end. */
const UNSEEN = [
  String.raw`(?![\t\n\r])\p{Cc}`,
  String.raw`\r(?!\n)`,
  String.raw`(?!${PICTURE_JOINER})\p{Cf}`,
  String.raw`(?!${PICTURE_MARK})[\uFE00-\uFE0F]`,
  String.raw`[\u2028\u2029\u2800\u3164\uFFA0\u115F\u1160\u034F\u17B4\u17B5\u180B-\u180F\uFFF9-\uFFFB]`,
  String.raw`[\u{E0000}-\u{E0FFF}]`,
].join('|')

/** For a door that lets something else through, such as colours. */
export const unseenOr = (kept: string): RegExp => new RegExp(`${kept}|${UNSEEN}`, 'gu')

const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu')

export interface TextPart {
  readonly text: string
  readonly isUnseen: boolean
}

/** A text cut before and after each letter that cannot be seen, which is named. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const found of text.matchAll(EVERY_UNSEEN)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index), isUnseen: false })
    parts.push({ text: nameOf(found[0]), isUnseen: true })
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), isUnseen: false })
  return parts
}

/** The same text with every unseen letter as its name. */
export const visibleText = (text: string): string => text.replaceAll(EVERY_UNSEEN, markOf)

/** On one line: also line ends and tabs are blanks. */
export const visibleLine = (text: string): string => visibleText(text).replaceAll(/\s+/g, ' ').trim()

/** Unseen letters as the escapes of JSON, which stand for the same text. */
export const visibleJson = (json: string): string =>
  json.replaceAll(EVERY_UNSEEN, (unseen) =>
    Array.from(
      { length: unseen.length },
      (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

export const hasUnseen = (text: string): boolean => text.search(EVERY_UNSEEN) !== -1

export const markOf = (unseen: string): string => `⟨${nameOf(unseen)}⟩`

const nameOf = (unseen: string): string =>
  `U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
