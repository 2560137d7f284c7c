/** The text under which data is stored: made once, then hashed and written as it is. */
export function jsonText(data: unknown): string {
  const text = JSON.stringify(data) as string | undefined
  if (text === undefined) throw new TypeError(`The journal keeps plain JSON, not ${typeof data}.`)
  return text
}
