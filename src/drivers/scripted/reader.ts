/** Reads plain data and keeps a list of what is wrong with it, each with where it is and what would be right. */

export interface Reader {
  /** Nothing there reads as nothing: an empty list, an empty object. */
  at(key: string): Reader
  list(): readonly Reader[]
  record(): Readonly<Record<string, unknown>>
  text(): string
  number(): number
  /** Zero or above. */
  whole(): number
  oneOf<const T extends string>(values: readonly T[]): T
  any(): unknown
  /** The key with its value where it is given, else nothing. */
  optional<const K extends string, T>(key: K, read: (at: Reader) => T): { readonly [_ in K]?: T }
  /** Says which keys it may have. */
  keys(allowed: readonly string[]): void
  wrong(right: string): void
}

export function createReader(value: unknown, where: { path: string; problems: string[] }): Reader {
  const { path, problems } = where
  const wrong = (right: string): void => {
    problems.push(`${path} should be ${right}, and is ${value === undefined ? 'missing' : preview(value)}`)
  }
  const inner = (step: string, found: unknown) => createReader(found, { path: `${path}${step}`, problems })
  const record = (): Readonly<Record<string, unknown>> => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
    if (value !== undefined) wrong('an object')
    return {}
  }
  const expect = <T>(right: string, fits: boolean, otherwise: T): T => {
    if (fits) return value as T
    wrong(right)
    return otherwise
  }
  const own = (key: string): unknown => {
    const found = record()
    return Object.hasOwn(found, key) ? found[key] : undefined
  }
  return {
    at: (key) => inner(`.${key}`, own(key)),
    list: () => {
      if (Array.isArray(value)) return value.map((item, index) => inner(`[${index}]`, item))
      if (value !== undefined) wrong('a list')
      return []
    },
    record,
    text: () => expect('text', typeof value === 'string', ''),
    number: () => expect('a number', typeof value === 'number' && value >= 0, 0),
    whole: () => expect('a whole number', Number.isInteger(value) && Number(value) >= 0, 0),
    oneOf: (values) =>
      expect(
        `one of ${values.join(', ')}`,
        values.some((known) => known === value),
        values[0]!,
      ),
    any: () => value,
    optional: (key, read) => {
      if (own(key) === undefined) return {}
      return { [key]: read(inner(`.${key}`, own(key))) } as never
    },
    keys: (allowed) => {
      for (const key of Object.keys(record()))
        if (!allowed.includes(key))
          problems.push(`${path} has no "${key}"; it may have ${allowed.join(', ')}`)
    },
    wrong,
  }
}

function preview(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
