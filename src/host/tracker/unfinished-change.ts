/**
 * What a check came to, from before its change is committed until its result is in the journal. A host that is killed in
 * between finds it here: the command is not run again, and its change is committed once.
 */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShellResult } from '../../drivers/index.ts'
import type { Fact } from '../../model/fact.ts'
import { textIn } from '../workspace/file-error.ts'
import type { Ground } from '../workspace/ground.ts'
import type { ChangedBy, IssueChange } from './issue-change.ts'

export interface UnfinishedChange {
  readonly by: ChangedBy
  readonly change: IssueChange
  readonly result: ShellResult
  readonly facts: readonly Fact[]
}

export async function keepUnfinished(ground: Ground, unfinished: UnfinishedChange): Promise<void> {
  const file = fileOf(ground)
  await writeFile(`${file}.new`, JSON.stringify(unfinished), { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Null where nothing was left, or it is another visit's, which is over. */
export async function unfinishedOf(ground: Ground, by: ChangedBy): Promise<UnfinishedChange | null> {
  const text = await textIn(fileOf(ground))
  if (text === '') return null
  const found = JSON.parse(text) as UnfinishedChange
  const { run, step, visit } = found.by
  return run === by.run && step === by.step && visit === by.visit ? found : null
}

export const forgetUnfinished = (ground: Ground): Promise<void> => rm(fileOf(ground), { force: true })

const fileOf = ({ dir }: Ground): string => join(dir, 'issue-change.json')
