/** Rows held against the events they are made of. */
import type { Project, Row, RowDifference, StoredEvent } from './journal.ts'

export interface RowsToCompare {
  readonly streams: readonly string[]
  readonly read: (stream: string) => Promise<readonly StoredEvent[]>
  readonly rows: Iterable<Row>
  readonly project: Project
}

export async function findRowDifferences({
  streams,
  read,
  rows,
  project,
}: RowsToCompare): Promise<RowDifference[]> {
  const made = new Map<string, Row>()
  let isAllMade = true
  for (const stream of streams) {
    try {
      for (const row of await project(stream, await read(stream)))
        if (row.data === null) made.delete(nameOf(row))
        else made.set(nameOf(row), row)
    } catch {
      // A stream with a hole in it, or without its program: told of by whoever looks for that.
      isAllMade = false
    }
  }
  const differences: RowDifference[] = []
  for (const row of rows) {
    const { model, key } = row
    const should = made.get(nameOf(row))
    made.delete(nameOf(row))
    if (should === undefined) {
      if (isAllMade) differences.push({ model, key, how: 'made up' })
    } else if (contentOf(should) !== contentOf(row)) differences.push({ model, key, how: 'changed' })
  }
  return [
    ...differences,
    ...[...made.values()].map(({ model, key }) => ({ model, key, how: 'missing' as const })),
  ]
}

const nameOf = ({ model, key }: Pick<Row, 'model' | 'key'>): string => `${model}\n${key}`

/** Whatever the order of its keys. */
const contentOf = ({ facet, rank, data }: Row): string => JSON.stringify([facet, rank, data], inOrder)

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
