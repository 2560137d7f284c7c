/** The text that a run's program was made of, as its file is now: the path is the one that its starter named. */
import { stat } from 'node:fs/promises'
import type { RunbookText } from '../../model/api/repositories.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { readRegular } from '../workspace/artifacts.ts'

const LARGEST = 1024 * 1024

export async function runbookTextOf({ placed, startedAt }: LoadedRun): Promise<RunbookText | Rejection> {
  const { runbook: file } = placed
  const read = await readRegular(file, LARGEST)
  if ('why' in read) return { code: 'not-found', problem: `${file} cannot be read: ${read.why}.` }
  const found = await stat(file).catch(() => null)
  const changedAt = Math.floor(found?.mtimeMs ?? startedAt)
  return { file, text: new TextDecoder().decode(read.bytes), changedAt, startedAt }
}
