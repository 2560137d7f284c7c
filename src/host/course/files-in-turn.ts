/**
 * What doors do in a run's files and then tell its record: one at a time for each run. Whoever comes second finds what the first
 * has taken or brought in, in both.
 */
import { createKeyedMutex } from '../streams/keyed-mutex.ts'

export const filesInTurn = createKeyedMutex()
