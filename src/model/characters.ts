/** Lengths and cuts in characters, never through the middle of one. */

export const longerThan = (text: string, most: number): boolean =>
  text.length > most && Array.from(text).length > most

export const firstCharacters = (text: string, most: number): string =>
  text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('')

export const lastCharacters = (text: string, most: number): string =>
  text.length <= most
    ? text
    : Array.from(text.slice(-most * 2))
        .slice(-most)
        .join('')
