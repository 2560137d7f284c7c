/**
 * What may stand in a place of a pattern, as narrow as what was seen there:
 * `{number 00}` digits, at most as many as zeros, one more than were seen; `v00.00` with what stood between them;
 * `{id hex|uuid|mixed|ENG-}` of these forms; `{path src/x/*.ts}` a file of such an ending in this very folder;
 * `{quoted a-z- 12}` these letters, at most so many, twice what was seen. Without more than its kind, any of that kind.
 */

export const SLOT_KINDS = ['number', 'id', 'path', 'quoted'] as const
export type SlotKind = (typeof SLOT_KINDS)[number]

/** What was seen in more forms than this was not alike. */
const MOST_FORMS = 8

/** What the values have in common, as a pattern has it; null where that is too little. */
export function narrowest(kind: SlotKind, values: readonly string[]): string | null {
  if (kind === 'quoted') return alphabetOf(values)
  const forms = kind === 'number' ? numberForms(values) : values.map(kind === 'id' ? idForm : pathForm)
  const all = [...new Set(forms)].sort()
  return all.length > MOST_FORMS ? null : all.join('|')
}

/** What fits, as the source of a regular expression. What is no form of the kind fits nothing. */
export function slotSource(kind: SlotKind, narrow: string | null): string {
  if (kind === 'quoted') return quotedSource(narrow)
  const forms = narrow === null ? [null] : narrow.split('|')
  const sources = forms.map((form) => FORM_SOURCES[kind](form))
  return `(?:${sources.join('|')})`
}

const NOTHING = '(?!)'

const FORM_SOURCES: Readonly<Record<Exclude<SlotKind, 'quoted'>, (form: string | null) => string>> = {
  number: (form) =>
    form === null
      ? 'v?\\d{1,15}(?:[.,:]\\d{1,15})*'
      : /^v?0{1,16}(?:[.,:]0{1,16})*$/.test(form)
        ? form.replaceAll('.', '\\.').replaceAll(/0+/g, (zeros) => `\\d{1,${zeros.length}}`)
        : NOTHING,
  id: (form) => {
    if (form === null) return `(?:${[UUID, HEX, MIXED, '[A-Z][A-Z\\d]{1,9}-\\d{1,8}'].join('|')})`
    if (/^[A-Z][A-Z\d]{1,9}-$/.test(form)) return `${form}\\d{1,8}`
    return form === 'uuid' ? UUID : form === 'hex' ? HEX : form === 'mixed' ? MIXED : NOTHING
  },
  path: (form) => {
    if (form === null) return `(?:\\./)?(?:${PART}/)*${PART}/?`
    const [, folder, ending] = PATH_FORM.exec(form) ?? []
    if (folder === undefined || folder.split('/').includes('..')) return NOTHING
    return `(?:\\./)?${escaped(folder)}${FILE}${escaped(ending!)}`
  },
}

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
const HEX = '[\\da-f]{7,64}'
const MIXED = '[a-z\\d]{8,40}'
/** Never hidden: so none leads up, either. */
const PART = '[\\w@][\\w.@-]*'
const FILE = '[\\w@][\\w@-]*'
const PATH_FORM = /^((?:[\w.@-]+\/)*)\*([\w.@-]*\/?)$/

const escaped = (text: string): string => text.replaceAll(/[./]/g, '\\$&')

function numberForms(values: readonly string[]): string[] {
  const longest = new Map<string, number[]>()
  for (const value of values) {
    const shape = value.replaceAll(/\d+/g, '0')
    const digits = Array.from(value.matchAll(/\d+/g), ([run]) => run.length)
    const before = longest.get(shape) ?? []
    longest.set(
      shape,
      digits.map((count, index) => Math.max(count, before[index] ?? 0)),
    )
  }
  return [...longest].map(([shape, digits]) => {
    let nth = 0
    return shape.replaceAll('0', () => '0'.repeat(digits[nth++]! + 1))
  })
}

function idForm(value: string): string {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)) return 'uuid'
  if (/^[\da-f]+$/.test(value)) return 'hex'
  return /^[A-Z][A-Z\d]*-/.exec(value)?.[0] ?? 'mixed'
}

/** `./src/x/a.test.ts` → `src/x/*.test.ts` */
function pathForm(value: string): string {
  const [, folder = '', name = ''] = /^(?:\.\/)?((?:[^/]+\/)*)([^/]+\/?)$/.exec(value) ?? []
  return `${folder}*${/^[^./]*(.*)$/.exec(name)?.[1] ?? ''}`
}

const CLASSES: readonly (readonly [string, RegExp])[] = [
  ['a-z', /[a-z]/],
  ['A-Z', /[A-Z]/],
  ['0-9', /\d/],
  ['.', /\./],
  ['_', /_/],
  ['@', /@/],
  ['-', /-/],
]
const LONGEST_NAME = 80

function alphabetOf(values: readonly string[]): string {
  const letters = CLASSES.filter(([, sign]) => values.some((value) => sign.test(value))).map(([name]) => name)
  const longest = Math.max(...values.map(({ length }) => length))
  return `${letters.join('')} ${Math.min(2 * longest, LONGEST_NAME)}`
}

function quotedSource(narrow: string | null): string {
  if (narrow === null) return `[A-Za-z\\d][A-Za-z\\d._@-]{0,${LONGEST_NAME - 1}}`
  const [, letters, most] = /^((?:a-z)?(?:A-Z)?(?:0-9)?\.?_?@?-?) (\d{1,2})$/.exec(narrow) ?? []
  if (letters === undefined || letters === '' || Number(most) < 1) return NOTHING
  const set = letters.replace(/-$/, '\\-')
  return `(?=[A-Za-z\\d])[${set}]{1,${most}}`
}
