/** What is filed as JSON beside the events. Whoever has the file can write anything there. */

/** Undefined: it is no JSON. */
export function filedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
