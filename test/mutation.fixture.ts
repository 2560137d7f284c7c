/** Messages that almost are ones: well-formed ones in which something is replaced, left out, doubled, nested or cut. Seeded. */

export interface Chance {
  /** Below that. */
  below(most: number): number
  pick<T>(among: readonly T[]): T
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(next() * most)
  return { below, pick: (among) => among[below(among.length)]! }
}

/** Written out only as text: whoever makes text of such a value runs out of room. */
const DEEP = {
  '@deep list@': `${'['.repeat(6_000)}1${']'.repeat(6_000)}`,
  '@deep map@': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '@rather deep@': `${'['.repeat(201)}1${']'.repeat(201)}`,
} as const

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  0.1,
  '',
  ' ',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '\u0000',
  '\ud800',
  '\u2028\u202e\u0007\u001b[2J',
  '$(touch owned)',
  'x'.repeat(70_000),
  '9'.repeat(400),
  [],
  {},
  [[]],
  Array.from({ length: 3_000 }, (_, nth) => nth),
  Object.fromEntries(Array.from({ length: 500 }, (_, nth) => [`key${nth}`, nth])),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":1,"then":1}'),
  ...Object.keys(DEEP),
]

/** A value with something wrong in it, or nothing. */
export function mutated(value: unknown, chance: Chance): unknown {
  const depth = chance.below(6)
  if (depth === 0) return chance.pick(HOSTILE)
  return mutatedWithin(value, chance, depth)
}

function mutatedWithin(value: unknown, chance: Chance, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return chance.pick(HOSTILE)
  const entries = Object.entries(value)
  const at = chance.below(Math.max(1, entries.length))
  const [key, inside] = entries[at] ?? ['odd', 1]
  const change =
    depth > 1 && chance.below(2) === 0 ? mutatedWithin(inside, chance, depth - 1) : chance.pick(HOSTILE)
  const kind = chance.below(4)
  const changed: [string, unknown][] =
    kind === 0
      ? entries.filter((_, nth) => nth !== at)
      : kind === 1
        ? [...entries, [chance.pick(['odd', '__proto__x', '', 'id', key.toUpperCase()]), change]]
        : entries.map(([each, before], nth) => [each, nth === at ? change : before])
  if (kind === 3 && key !== '') changed.push([`${key} `, inside])
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)
}

/** As text, which may be cut, doubled or have other bytes in it; never with a line break. */
export function textOf(value: unknown, chance: Chance): string {
  const plain = JSON.stringify(value) ?? 'undefined'
  const text = Object.entries(DEEP).reduce((so, [mark, deep]) => so.replaceAll(`"${mark}"`, deep), plain)
  const at = chance.below(text.length + 1)
  switch (chance.below(12)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}\u0000\ufffd${text.slice(at)}`
    case 2:
      return `${text}${text}`
    case 3:
      return text.replace('"', "'")
    default:
      return text
  }
}
