/** Runs that people took over while another host was there: what it did not come to is done before anything begins. */
import type { Journal } from '../../journal/index.ts'
import { RUNS, type RunRow } from '../runs/projection.ts'
import { handToPerson, type TakingNeeds } from './take.ts'

const MOST_RUNS = 1000

export async function handOverTaken(needs: TakingNeeds & { readonly journal: Journal }): Promise<void> {
  const rows = await needs.journal.list({ model: RUNS, facet: 'open', before: null, limit: MOST_RUNS })
  const taken = rows.filter(({ data }) => (data as RunRow).status === 'taken')
  for (const { key } of taken) await handToPerson(needs, key)
}
