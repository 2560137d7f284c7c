/** About how many bytes a value takes in memory: where it is made of many small things, its text would be the least of them. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return TEXT + 2 * value.length
  if (typeof value !== 'object' || value === null) return PLAIN
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weightOf(each), OBJECT)
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + PLAIN + 2 * key.length + weightOf(each),
    OBJECT,
  )
}

const PLAIN = 8
const TEXT = 24
const OBJECT = 64
