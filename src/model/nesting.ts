/** How deep what others send may be nested: what walks a value calls itself for each level, and must never run out of room. */

export const DEEPEST = 200

/** Looked at without calling itself, so that any depth can be told. */
export function isNestedTooDeep(value: unknown, most = DEEPEST): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth > most) return true
    for (const inside of Object.values(next.value)) open.push({ value: inside, depth: next.depth + 1 })
  }
  return false
}
