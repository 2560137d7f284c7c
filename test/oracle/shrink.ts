/** The smallest runbook about which the same is untrue: whatever can be left out is left out. */
import type { Json } from './write-routes.ts'
import type { Written } from './write-runbook.ts'

/** `fails` is asked of each smaller one, and says no where it is no runbook at all. */
export function shrink(written: Written, fails: (smaller: Written) => boolean): Written {
  for (const smaller of smallerThan(written)) if (fails(smaller)) return shrink(smaller, fails)
  return written
}

function* smallerThan({ value, files }: Written): Generator<Written> {
  for (const smaller of smallerValues(value)) yield { value: smaller as Json, files }
  for (const [name, file] of Object.entries(files))
    for (const smaller of smallerValues(file)) yield { value, files: { ...files, [name]: smaller as Json } }
}

/** The value with one thing left out or made plain, what is nearest to the root first. */
function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries())
      for (const smaller of smallerValues(item)) yield value.with(index, smaller)
    return
  }
  if (typeof value === 'number' && value > 0) yield value - 1
  if (typeof value !== 'object' || value === null) return
  const { to, then } = value as Json
  for (const target of [to, then]) if (typeof target === 'string') yield target
  if (typeof to === 'string' && Object.keys(value).length > 1) yield { to }
  const entries = Object.entries(value)
  for (const [key] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== key))
  for (const [key, item] of entries)
    for (const smaller of smallerValues(item)) yield { ...value, [key]: smaller }
  for (const [key, item] of entries)
    if (typeof item === 'string' && /^[abcpqm]$/.test(item)) yield { ...value, [key]: 'done' }
}
