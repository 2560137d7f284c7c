/** Whether something stands in what a run committed: messages, names of files and their content. */
import type { Edit } from '../../journal/index.ts'
import { git } from './git.ts'
import type { Ground } from './ground.ts'
import { hasStore, inStore } from './store.ts'

export interface Commits {
  readonly ground: Ground
  readonly branch: string
  readonly since: string
}

/** Of the run's own commits alone, in the host's repository. What is looked for is on no command line. */
export async function commitsHold({ ground, branch, since }: Commits, edit: Edit): Promise<boolean> {
  if (!hasStore(ground)) return false
  const listed = await git(['rev-list', '--objects', `refs/heads/${branch}`, `^${since}`], inStore(ground))
  if (listed.code !== 0) return false
  const ids = listed.stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(0, 40)]))
  if (ids.length === 0) return false
  const read = await git(['cat-file', '--batch', '--buffer'], {
    ...inStore(ground),
    input: `${ids.join('\n')}\n`,
  })
  return edit.bytes(Buffer.from(read.stdout)) !== null
}
