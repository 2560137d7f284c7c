/**
 * What a command of a runbook may know of Signalbox: its own run as it is when the command begins, in a file, and the command
 * to read it with. There is no door behind it and no token in it, so there is nothing that it could answer, start or
 * read of others.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { questionsOf } from '../../engine/index.ts'
import type { StoredEvent } from '../../journal/index.ts'
import type { RunHistory } from '../../model/api/history.ts'
import type { RunDetail } from '../../model/api/runs.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { LoadedRun } from './loaded-run.ts'
import { runRow } from './projection.ts'
import type { Runs } from './runs.ts'
import { worldOf } from './world.ts'

export interface OwnRunFile {
  readonly detail: RunDetail
  readonly events: readonly StoredEvent[]
  readonly decisions: readonly DecisionRecord[]
  /** What other runs on its issue left. */
  readonly history: readonly RunHistory[]
}

export interface OwnRunPlace {
  readonly folder: string
  /** Node, and the command of this very Signalbox. */
  readonly command: readonly [string, string]
}

/** Gives what its environment must say beside. */
export async function placeOwnRun(
  runs: Pick<Runs, 'events' | 'history'>,
  loaded: LoadedRun,
  { folder, command }: OwnRunPlace,
): Promise<{ readonly searched: string; readonly file: string }> {
  const file = join(folder, 'run.json')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const told: OwnRunFile = {
    detail: detailOf(loaded),
    events: (await runs.events(loaded.run)).slice(-MOST_EVENTS),
    decisions: Object.values(loaded.book.records),
    history: await othersOn(runs, loaded),
  }
  await replace(file, { text: JSON.stringify(told), mode: 0o644 })
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  await replace(join(folder, 'signalbox'), { text: `#!/bin/sh\nexec ${words} "$@"\n`, mode: 0o755 })
  return { searched: folder, file }
}

/** Before it or beside it. */
async function othersOn(
  { history }: Pick<Runs, 'history'>,
  { run, placed: { issue, placement } }: LoadedRun,
): Promise<readonly RunHistory[]> {
  if (issue === null) return []
  const all = await history({ issue: issue.id, repo: placement.repo })
  return all.filter((one) => one.run !== run)
}

const MOST_EVENTS = 5_000

/** Whole or not at all: another command of the run may be reading it. */
async function replace(
  file: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<void> {
  const next = `${file}.${randomUUID()}`
  await writeFile(next, text, { mode })
  await rename(next, file)
}

const detailOf = (loaded: LoadedRun): RunDetail => ({
  row: runRow(loaded),
  placement: loaded.placed.placement,
  vars: loaded.state.vars,
  limits: loaded.state.limits,
  questions: questionsOf(loaded.program, loaded.state, worldOf(loaded)),
  artifacts: loaded.artifacts,
  work: null,
})
