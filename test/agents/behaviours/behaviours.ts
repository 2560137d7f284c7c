/** All that an agent should do, in the order of the table. */
import { BEGINNING } from './beginning.ts'
import type { Behaviour } from './behaviour.ts'
import { DECISIONS } from './decisions.ts'
import { ENDINGS } from './endings.ts'
import { FAULTS } from './faults.ts'
import { HOLDING } from './holding.ts'
import { KEEPING } from './keeping.ts'

export const BEHAVIOURS: readonly Behaviour[] = [
  ...BEGINNING,
  ...DECISIONS,
  ...ENDINGS,
  ...FAULTS,
  ...HOLDING,
  ...KEEPING,
]
