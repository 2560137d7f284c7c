/**
 * The `${ … }` inside a text. It stays in the text as written, escapes `$${` included, because the runbook
 * compiler reads templates the same way in every syntax; here only its end is looked for, since a quote inside it
 * does not end the text around it. HCL's directives `%{ … }` have no meaning in a runbook and are faults.
 */

export interface TextFault {
  readonly offset: number
  readonly message: string
  readonly help: string
}

export interface Span {
  readonly value: string
  readonly end: number
  readonly fault?: TextFault
  /** The opening was never closed. Looking again from a later opening would make reading quadratic. */
  readonly open?: true
}

/** A stretch of the source: from here, not beyond there. */
export interface Stretch {
  readonly source: string
  readonly start: number
  readonly limit: number
}

/** What stands at the `$` or `%` with which this stretch of a text begins. */
export function spanAt({ source, start: offset, limit }: Stretch): Span {
  const sign = source[offset]!
  if (source.startsWith(`${sign}${sign}{`, offset)) {
    return { value: sign === '$' ? '$${' : '%{', end: offset + 3 }
  }
  if (source[offset + 1] !== '{') return { value: sign, end: offset + 1 }
  const end = endOfInterpolation({ source, start: offset + 2, limit })
  if (end === -1) return { value: `${sign}{`, end: offset + 2, fault: neverClosed(sign, offset), open: true }
  const value = source.slice(offset, end)
  return sign === '%' ? { value, end, fault: directive(offset) } : { value, end }
}

function endOfInterpolation({ source, start, limit }: Stretch): number {
  const open: ('{' | '"')[] = ['{']
  let offset = start
  while (offset < limit) {
    const char = source[offset]
    if (open.at(-1) === '"') {
      if (char === '\\') offset += 1
      else if (char === '"') open.pop()
      else if (char === '$' && source.startsWith('$${', offset)) offset += 2
      else if (char === '$' && source[offset + 1] === '{') {
        open.push('{')
        offset += 1
      }
    } else if (char === '"' || char === '{') open.push(char)
    else if (char === '}') {
      open.pop()
      if (open.length === 0) return offset + 1
    }
    offset += 1
  }
  return -1
}

const neverClosed = (sign: string, offset: number): TextFault => ({
  offset,
  message: `This ${sign}{ is never closed.`,
  help: `Close it with }, or write ${sign}${sign}{ where the text itself holds ${sign}{.`,
})

const directive = (offset: number): TextFault => ({
  offset,
  message: 'Texts know look-ups ${…}, but no directives %{…}.',
  help: 'Write %%{ where the text itself holds %{.',
})
