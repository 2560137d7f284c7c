/** One word that can stand in a command line or a variable, and is never taken for an option. */
export const isModelName = (text: string): boolean => /^[\w.][\w.:/@+[\]-]{0,199}$/.test(text)

export const MODEL_NAME_HELP =
  'Write it as its program does: one word of letters, digits and . _ - : / @ + [ ].'
