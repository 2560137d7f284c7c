/** Everything a host works with, made once when it opens. Whoever needs some of it says what. */
import type { Journal } from '../journal/index.ts'
import type { OtherSeats } from './duty/leftovers.ts'
import type { Standalones } from './inbox/standalones.ts'
import type { Edges } from './session/edges.ts'
import type { Sessions } from './session/sessions.ts'

export interface Tools extends Edges {
  readonly journal: Journal
  readonly standalones: Standalones
  readonly sessions: Sessions
  readonly others: OtherSeats
}
