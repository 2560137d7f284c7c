/** A program and its arguments as one line of a shell, each exactly the word it is: what is shown is what is run. */

export const argvText = (argv: readonly string[]): string => argv.map(wordText).join(' ')

const wordText = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Nothing that any shell reads as more than itself. */
const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/

/** A command that a person is shown whole is no longer than they would read. */
const LONGEST_ARGV = 2000

/** Why these words cannot be put before a person as they are; null where they can. */
export function whyUnreadable(argv: readonly string[]): string | null {
  const text = argvText(argv)
  if (text.length > LONGEST_ARGV)
    return `is longer than the ${LONGEST_ARGV} characters that a person is shown`
  const hidden = HIDDEN.exec(text)?.[0]
  if (hidden === undefined) return null
  const code = hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `has a character that nobody would see (U+${code})`
}

/** Control characters, marks without a width, what reorders letters, and spaces that are not one. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/u
