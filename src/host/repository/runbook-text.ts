/** The text that a run's program was made of, as its file is now: the path is the one that its starter named. */
import { stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import type { RunbookText } from '../../model/api/repositories.ts'
import type { Rejection } from '../../model/refusal.ts'
import { readInside } from '../inside/read-inside.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'

const MAX_BYTES = 1024 * 1024

export async function runbookTextOf({ placed, startedAt }: LoadedRun): Promise<RunbookText | Rejection> {
  const { runbook: file, placement } = placed
  const within = relative(placement.repo, file)
  const place = within.startsWith('..')
    ? { root: dirname(file), names: [basename(file)] }
    : { root: placement.repo, names: within.split('/') }
  const read = readInside(place, { maxBytes: MAX_BYTES })
  if ('why' in read) return { code: 'not-found', problem: `${file} ${read.why}.` }
  const found = await stat(file).catch(() => null)
  const changedAt = Math.floor(found?.mtimeMs ?? startedAt)
  return { file, text: new TextDecoder().decode(read.bytes), changedAt, startedAt }
}
