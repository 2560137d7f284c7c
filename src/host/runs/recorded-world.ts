/** What a text of a run can look up from the journal alone: the same at any time, whatever became of the worktree. */
import { join } from 'node:path'
import type { Program } from '../../model/program.ts'
import type { Lookup } from '../../model/template.ts'
import { RUN_DIR } from '../workspace/run-folder.ts'
import type { Placed } from './projection.ts'

export function recordedWorld({
  run,
  program,
  placed,
  base,
}: {
  readonly run: string
  readonly program: Program
  readonly placed: Placed
  /** What its changes are told against. */
  readonly base: string
}): Lookup {
  const { placement, issue, runbook } = placed
  const own: Readonly<Record<string, string>> = {
    id: run,
    name: program.name,
    base,
    branch: placement.branch,
    worktree: placement.worktree,
    dir: join(placement.worktree, RUN_DIR),
    runbook,
    ...placement.commands,
    ...(placement.port === undefined ? {} : { port: `${placement.port}` }),
  }
  return (ref) => {
    if (ref.kind === 'run') return own[ref.field]
    return ref.kind === 'issue' ? issue?.[ref.field as keyof typeof issue] : undefined
  }
}
