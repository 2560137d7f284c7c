/** Changes of front matter: each touches the lines of its own key and no others, and keeps remarks behind a value. */
import { type FrontMatter, parseFrontMatter } from './front-matter.ts'
import { bareLine, spliced, withLine } from './text-lines.ts'

/** Null takes the key away. Lines that are no front matter are the caller's bug: it has read them before. */
export function withField(lines: readonly string[], key: string, value: string | null): string[] {
  const head = headOf(lines)
  const field = head.fields.get(key)
  if (field === undefined)
    return value === null ? [...lines] : withNewLine(lines, `${key}: ${written(value)}`)
  const cleared = withoutLines(lines, value === null ? [field.at, ...field.items] : field.items)
  return value === null
    ? cleared
    : withLine(cleared, field.at, assigned(lines[field.at] ?? '', written(value)))
}

/** The list gets another item; one that has it stays as it is. */
export function withItem(lines: readonly string[], keys: readonly string[], item: string): string[] {
  const found = fieldIn(headOf(lines), keys)
  if (found === null) return withNewLine(lines, `${keys[0]}: [${writtenItem(item)}]`)
  const { key, field } = found
  const items = itemsOf(field.value)
  if (items.includes(item)) return [...lines]
  const last = field.items.at(-1)
  if (last === undefined) return withInline(lines, key, [...items, item])
  const indent = /^\s*/.exec(bareLine(lines[last] ?? ''))?.[0] ?? ''
  return spliced(lines, { at: last + 1, by: [`${indent}- ${writtenItem(item)}`] })
}

export function withoutItem(lines: readonly string[], keys: readonly string[], item: string): string[] {
  const found = fieldIn(headOf(lines), keys)
  if (found === null || !itemsOf(found.field.value).includes(item)) return [...lines]
  const { key, field } = found
  const at = field.items[itemsOf(field.value).indexOf(item)]
  if (at !== undefined && field.items.length > 1) return withoutLines(lines, [at])
  const left = itemsOf(field.value).filter((each) => each !== item)
  return withInline(withoutLines(lines, field.items), key, left)
}

/** A list may also be written as one text with commas. */
export const itemsOf = (value: string | readonly string[]): string[] =>
  (typeof value === 'string' ? value.split(',') : value)
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** A value on one line, in quotation marks where it would be read as something else. */
export const written = (value: string): string =>
  /^[\p{L}\p{N}][^#:"'\p{Cc}\u2028\u2029]*$/u.test(value) && value === value.trim()
    ? value
    : JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))

export const writtenItem = (item: string): string =>
  /[,[\]{}]/.test(item) ? JSON.stringify(item) : written(item)

function headOf(lines: readonly string[]): FrontMatter {
  const head = parseFrontMatter(lines)
  if ('problem' in head) throw new Error(`Front matter that cannot be read is to be changed: ${head.problem}`)
  return head
}

function fieldIn({ fields }: FrontMatter, keys: readonly string[]) {
  for (const key of keys) {
    const field = fields.get(key)
    if (field !== undefined) return { key, field }
  }
  return null
}

const withInline = (lines: readonly string[], key: string, items: readonly string[]): string[] => {
  const at = headOf(lines).fields.get(key)?.at ?? 0
  return withLine(lines, at, assigned(lines[at] ?? '', `[${items.map(writtenItem).join(', ')}]`))
}

/** The line of a key with another value: how the key is written, and a remark behind the value, stay. */
function assigned(line: string, value: string): string {
  const [, key = '', gap = '', rest = ''] = /^([\w-]+\s*:)(\s*)(.*)$/.exec(bareLine(line)) ?? []
  const old =
    /^(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|\[.*\](?=\s*(?:#.*)?$))/.exec(rest)?.[0] ??
    rest.replace(/(?:^|\s)#.*$/, '').trimEnd()
  const remark = rest.slice(old.length)
  return `${key}${gap || ' '}${value}${old === '' && remark !== '' ? ` ${remark}` : remark}`.trimEnd()
}

/** Before the line that closes it; where there is no front matter, it is made. */
function withNewLine(lines: readonly string[], line: string): string[] {
  const { closedAt } = headOf(lines)
  if (closedAt !== null) return spliced(lines, { at: closedAt, by: [line] })
  const [first = '', ...rest] = lines
  const mark = first.startsWith('\ufeff') ? '\ufeff' : ''
  const made = spliced(
    [first.slice(mark.length), ...rest].filter((each) => each !== ''),
    {
      at: 0,
      by: ['---', line, '---', ''],
    },
  )
  return [`${mark}${made[0] ?? ''}`, ...made.slice(1)]
}

function withoutLines(lines: readonly string[], places: readonly number[]): string[] {
  const gone = new Set(places)
  return lines.filter((_, at) => !gone.has(at))
}
