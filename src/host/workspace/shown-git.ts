/** Whether people have a repository of their own, and how agents are shown theirs: see working-repository.ts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../../drivers/index.ts'
import type { Ground } from './ground.ts'

export const hasPeopleRepository = ({ peopleRepo }: Ground): boolean => existsSync(join(peopleRepo, 'HEAD'))

/** Laid over the worktree's own `.git` in every sandbox, so that no agent can change that either. */
export const shownGit = (ground: Ground): Sandbox['shown'] =>
  hasPeopleRepository(ground)
    ? [{ from: ground.agentLink, at: join(ground.worktree, '.git'), access: 'read' }]
    : []
