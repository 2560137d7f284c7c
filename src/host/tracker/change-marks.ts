/**
 * Which commits the host made of which changes of issues, by commit id: a file in the git directory of the user's
 * repository, where no run writes. A commit's message names its run, too, for people; anybody can write such a message, so
 * nothing is decided by it.
 */
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { textIn } from '../workspace/file-error.ts'

export interface ChangeMark {
  readonly commit: string
  /** The run, the step and the visit that made it. */
  readonly visit: string
}

export async function changeMarks(gitDir: string): Promise<readonly ChangeMark[]> {
  const lines = (await textIn(fileIn(gitDir))).split('\n')
  return lines.flatMap((line) => {
    const [, commit = '', visit = ''] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? []
    return commit === '' ? [] : [{ commit, visit }]
  })
}

/** Before a branch gets the commit: a mark of one that none got says nothing. */
export async function markChange(
  gitDir: string,
  { commit, visits }: { readonly commit: string; readonly visits: readonly string[] },
): Promise<void> {
  if (visits.length === 0) return
  const file = fileIn(gitDir)
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, visits.map((visit) => `${commit} ${visit}\n`).join(''), { flush: true })
}

const fileIn = (gitDir: string): string => join(gitDir, 'signalbox', 'issue-changes')
