/**
 * Letters that cannot be seen or that turn others around: whoever shows a text of an agent shows them too, or it reads as something that it is
 * not. Tabs and line ends are seen.
 */
const ODD =
  /(?![\t\n\r])\p{Cc}|\p{Cf}|[\u2028\u2029\u3164\uFFA0]|[\u115F\u1160]|\u034F|[\u17B4\u17B5]|[\u180B-\u180F]|[\uFE00-\uFE0E]|[\u{E0000}-\u{E0FFF}]/gu

export interface TextPart {
  readonly text: string
  readonly isOdd: boolean
}

/** A text cut where something in it cannot be seen as it is. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const found of text.matchAll(ODD)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index), isOdd: false })
    parts.push({ text: nameOf(found[0]), isOdd: true })
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), isOdd: false })
  return parts
}

/** The same as one text, for where no part can be marked. */
export const withOddOnesNamed = (text: string): string => text.replaceAll(ODD, (odd) => `⟨${nameOf(odd)}⟩`)

const nameOf = (odd: string): string => `U+${odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
