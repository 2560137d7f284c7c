/** All that the bench measures, in the order it is printed. */
import type { Measurement } from '../figure.ts'
import { ANSWER_TO_PROMPT } from './answer.ts'
import { CHECKS } from './check.ts'
import { DURABLE_STEPS } from './durable.ts'
import { FINISHED_RUNS } from './finished.ts'
import { GROUND } from './ground.ts'
import { INBOX } from './inbox.ts'
import { REHEARSALS } from './rehearse.ts'
import { START_UP } from './start-up.ts'
import { WAITING_RUNS } from './waiting.ts'
import { WEB_INBOX, WEB_SIZE } from './web.ts'

export const MEASUREMENTS: readonly Measurement[] = [
  DURABLE_STEPS,
  ANSWER_TO_PROMPT,
  INBOX,
  ...GROUND,
  ...CHECKS,
  ...REHEARSALS,
  WAITING_RUNS,
  FINISHED_RUNS,
  START_UP,
  WEB_SIZE,
  WEB_INBOX,
]
