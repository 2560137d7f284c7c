/** What Tab offers where a decision or one of its options is named. */
import type { Operations } from '../../host/operations.ts'

type Named = readonly (readonly [word: string, about: string])[]

const MOST = 100

/** Pending ones first; those that were answered can be undone, shown or retried. */
export async function decisionsToName({ decisions }: Operations): Promise<Named> {
  const page = await decisions.list({ status: 'all', snoozed: true, cursor: null, limit: MOST })
  return 'problem' in page ? [] : page.rows.map(({ id, headline }) => [id, headline] as const)
}

export async function optionsToName({ decisions }: Operations, prefix: string): Promise<Named> {
  const found = await decisions.find(prefix)
  if ('problem' in found) return []
  const record = await decisions.show(found.id)
  if ('problem' in record) return []
  return record.shown.options.map(({ key, label }) => [key.replace(/^@/, ''), label] as const)
}
