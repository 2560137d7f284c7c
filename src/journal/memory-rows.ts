/** Read models in memory. */
import type { ListRequest, Row } from './journal.ts'

export interface MemoryRows {
  put(row: Row): void
  get(model: string, key: string): Row | null
  list(request: ListRequest): Row[]
  keysWith(request: { readonly model: string; readonly prefix: string; readonly limit: number }): string[]
  count(model: string, facet: string): number
  clear(): void
  all(): Row[]
}

export function createMemoryRows(): MemoryRows {
  const models = new Map<string, Map<string, Row>>()
  const rowsOf = (model: string): Row[] => [...(models.get(model)?.values() ?? [])]

  return {
    put(row) {
      const rows = models.get(row.model) ?? new Map<string, Row>()
      models.set(row.model, rows)
      if (row.data === null) rows.delete(row.key)
      else rows.set(row.key, row)
    },
    get(model, key) {
      const row = models.get(model)?.get(key)
      return row === undefined ? null : structuredClone(row)
    },
    list({ model, facet, before, limit }) {
      return rowsOf(model)
        .filter((row) => facet === null || row.facet === facet)
        .filter((row) => before === null || isAfter(before, row))
        .sort((a, b) => (isAfter(a, b) ? -1 : 1))
        .slice(0, limit)
        .map((row) => structuredClone(row))
    },
    keysWith: ({ model, prefix, limit }) =>
      [...(models.get(model)?.keys() ?? [])]
        .filter((key) => key.startsWith(prefix))
        .sort()
        .slice(0, limit),
    count: (model, facet) => rowsOf(model).filter((row) => row.facet === facet).length,
    clear: () => models.clear(),
    all: () => [...models.values()].flatMap((rows) => [...rows.values()]),
  }
}

type Place = Pick<Row, 'rank' | 'key'>

const isAfter = (a: Place, b: Place): boolean => (a.rank === b.rank ? a.key > b.key : a.rank > b.rank)
