/** Runs that people took over while another host was there: what it did not come to is done before anything begins. */
import type { Journal } from '../../journal/index.ts'
import { RUNS, type RunRow } from '../runs/projection.ts'
import { apart, type Tell } from '../streams/apart.ts'
import { handToPerson, type TakingNeeds } from './take.ts'

const MOST_RUNS = 1000

export async function handOverTaken(
  needs: TakingNeeds & { readonly journal: Journal; readonly onBug: Tell },
): Promise<void> {
  const rows = await needs.journal.list({ model: RUNS, facet: 'open', before: null, limit: MOST_RUNS })
  const taken = rows.filter(({ data }) => (data as RunRow).status === 'taken')
  await apart(taken, ({ key }) => handToPerson(needs, key), needs.onBug)
}
