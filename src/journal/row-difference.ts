/** Rows held against the events they are made of. */
import type { Project, Row, RowDifference, RowsUnlike, StoredEvent } from './journal.ts'

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
}: RowsToCompare): Promise<RowsUnlike> {
  const made = new Map<string, Row>()
  const unmade: { stream: string; why: string }[] = []
  for (const stream of streams) {
    const found = await rowsMade(stream, async () => project(stream, await read(stream)))
    if ('why' in found) unmade.push(found)
    else
      for (const row of found.rows)
        if (row.data === null) made.delete(nameOf(row))
        else made.set(nameOf(row), row)
  }
  const differences: RowDifference[] = []
  const tell = ({ model, key }: Row, how: RowDifference['how']): unknown =>
    differences.push({ model, key, how })
  for (const row of rows) {
    const should = made.get(nameOf(row))
    made.delete(nameOf(row))
    if (should === undefined) tell(row, unmade.length === 0 ? 'made up' : 'unaccounted')
    else if (contentOf(should) !== contentOf(row)) tell(row, 'changed')
  }
  for (const row of made.values()) tell(row, 'missing')
  return { differences, unmade }
}

/** A stream with a hole in it, or without its program, keeps nobody from looking at the others. */
export async function rowsMade(
  stream: string,
  make: () => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[] } | RowsUnlike['unmade'][number]> {
  try {
    return { rows: await make() }
  } catch (error) {
    return { stream, why: error instanceof Error ? error.message : String(error) }
  }
}

const nameOf = ({ model, key }: Pick<Row, 'model' | 'key'>): string => `${model}\n${key}`

/** Whatever the order of its keys. */
const contentOf = ({ facet, rank, data }: Row): string => JSON.stringify([facet, rank, data], inOrder)

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
