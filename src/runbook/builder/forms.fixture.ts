/** Which keys and forms of the language no value uses. A form that stands in several places counts once. */
import type { Shape } from '../language/shape.ts'

export function unusedForms(shape: Shape, ...values: readonly unknown[]): string[] {
  const used = new Map<string, boolean>()
  walk(shape, values, used)
  return [...used].filter(([, isUsed]) => !isUsed).map(([form]) => form)
}

function walk(shape: Shape, values: readonly unknown[], used: Map<string, boolean>): void {
  const go = (form: string, of: Shape, found: readonly unknown[]) => {
    used.set(form, found.length > 0 || used.get(form) === true)
    walk(of, found, used)
  }
  if (shape.kind === 'object')
    for (const [key, field] of Object.entries(shape.fields)) {
      const found = values.filter((value) => kindsOf(value).includes('object')) as Record<string, unknown>[]
      const under = found.flatMap((value) => (Object.hasOwn(value, key) ? [value[key]] : []))
      go(`${key} of ${formOf(shape)}`, field, under)
    }
  if (shape.kind === 'either')
    for (const form of shape.of) {
      const found = values.filter((value) => kindsOf(value).includes(form.kind))
      go(`${formOf(form)} of ${formOf(shape)}`, form, found)
    }
  if (shape.kind === 'map' || shape.kind === 'place' || shape.kind === 'list') {
    const found = values.filter((value) => kindsOf(value).includes(shape.kind)) as object[]
    walk(shape.of, found.flatMap(Object.values), used)
  }
}

function formOf(shape: Shape): string {
  if (shape.kind === 'object') return `{ ${Object.keys(shape.fields).join(', ')} }`
  if (shape.kind === 'either') return shape.of.map(formOf).join(' | ')
  if (shape.kind === 'map' || shape.kind === 'place' || shape.kind === 'list')
    return `${shape.kind} of ${formOf(shape.of)}`
  return shape.kind
}

function kindsOf(value: unknown): readonly Shape['kind'][] {
  if (Array.isArray(value)) return ['list']
  if (typeof value === 'object' && value !== null) return ['object', 'map', 'place']
  if (typeof value === 'string') return ['text', 'duration', 'any-scalar']
  return typeof value === 'number' ? ['integer', 'number', 'any-scalar'] : ['boolean', 'any-scalar']
}
