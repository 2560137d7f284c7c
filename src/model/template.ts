/**
 * Text with look-ups, parsed when the runbook is compiled. In a command every look-up knows the quotes it stands
 * in, so that the value always arrives as (part of) exactly one shell word, whatever is in it. Where a command of the
 * project stands as a command, that word is given to a shell of its own.
 */

/** What a look-up names. Values are found by whoever renders. */
export type Reference =
  | { readonly kind: 'var'; readonly name: string }
  | { readonly kind: 'issue'; readonly field: string }
  | { readonly kind: 'run'; readonly field: string }
  | { readonly kind: 'agent'; readonly field: string }
  | { readonly kind: 'step'; readonly step: string; readonly field: string }
  | { readonly kind: 'file'; readonly path: string }
  /** A variable of an inlined flow: the text its caller gave. */
  | { readonly kind: 'text'; readonly text: Template }

/** `command`: where a command begins and ends, and only of a look-up that is one. */
export type Quote = 'bare' | 'single' | 'double' | 'command'

export interface LookUp {
  readonly ref: Reference
  /** Used where the value does not exist. */
  readonly fallback: string | null
  /** Only in commands. */
  readonly quote: Quote
}

export type TemplatePart = string | LookUp
export type Template = readonly TemplatePart[]

export type Lookup = (ref: Reference) => string | undefined

const MISSING = '(not given)'

export function renderText(template: Template, lookup: Lookup): string {
  return template.map((part) => (typeof part === 'string' ? part : looked(part, lookup))).join('')
}

export function renderCommand(template: Template, lookup: Lookup): string {
  const whole = soleLookUp(template)
  if (whole?.quote === 'command') return looked(whole, lookup)
  return template
    .map((part) => (typeof part === 'string' ? part : shellWord(looked(part, lookup), part.quote)))
    .join('')
}

/** The look-up that a text is made of, blanks aside; null where there is more. */
export function soleLookUp(template: Template): LookUp | null {
  const [only, ...more] = template.filter((part) => typeof part !== 'string' || part.trim() !== '')
  return typeof only === 'object' && more.length === 0 ? only : null
}

/** One word of any POSIX shell, standing where the given quotes are open. NUL cannot be in a word and is dropped. */
function shellWord(value: string, quote: Quote): string {
  const word = `'${value.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`
  if (quote === 'command') return `sh -c ${word}`
  if (quote === 'double') return `"${word}"`
  if (quote === 'single') return `'${word}'`
  return word
}

function looked(part: LookUp, lookup: Lookup): string {
  const value = part.ref.kind === 'text' ? renderText(part.ref.text, lookup) : lookup(part.ref)
  return value ?? part.fallback ?? MISSING
}

/** A command as far as its values are known: a look-up of which `lookup` knows nothing stands as it was written. */
export function renderKnown(template: Template, lookup: Lookup): string {
  const isKnown = (part: LookUp): boolean => lookUpsIn([part]).every(({ ref }) => lookup(ref) !== undefined)
  const whole = soleLookUp(template)
  if (whole !== null && isKnown(whole)) return renderCommand(template, lookup)
  return template
    .map((part) => {
      if (typeof part === 'string') return part
      return isKnown(part) ? shellWord(looked(part, lookup), part.quote) : sourceText([part])
    })
    .join('')
}

/** As it was written; a variable of an inlined flow as the text its caller gave. */
export function sourceText(template: Template): string {
  return template
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll('${', () => '$${')
      if (part.ref.kind === 'text') return refText(part.ref)
      const fallback = part.fallback === null ? '' : ` ?? ${JSON.stringify(part.fallback)}`
      return `\${${refText(part.ref)}${fallback}}`
    })
    .join('')
}

/** What a look-up is called in a runbook. */
export function refText(ref: Reference): string {
  switch (ref.kind) {
    case 'var':
      return `var.${ref.name}`
    case 'step':
      return `steps.${ref.step}.${ref.field}`
    case 'file':
      return `file(${JSON.stringify(ref.path)})`
    case 'text':
      return sourceText(ref.text)
    case 'issue':
    case 'run':
    case 'agent':
      return `${ref.kind}.${ref.field}`
  }
}

/** Every look-up in the template, those inside inlined text included. */
export function lookUpsIn(template: Template): LookUp[] {
  return template.flatMap((part) => {
    if (typeof part === 'string') return []
    return part.ref.kind === 'text' ? lookUpsIn(part.ref.text) : [part]
  })
}
