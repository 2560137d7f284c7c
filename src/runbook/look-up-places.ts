/**
 * Where the look-ups of a text stand in its source. Quoting, escapes, indentation and folding move everything else, but
 * a `${` of the source is always one of the text; so where both have as many, the n-th is the n-th.
 */

/** Where each `${` of the text stands in the source, or null where one was written with an escape. */
export function lookUpPlaces(
  text: string,
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
): readonly number[] | null {
  const offsets = lookUpOffsets(source.slice(start, end))
  return offsets.length === lookUpOffsets(text).length ? offsets.map((offset) => start + offset) : null
}

/** The offset of each `${`. */
export function lookUpOffsets(text: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', at + 2)) offsets.push(at)
  return offsets
}
