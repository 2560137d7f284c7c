/**
 * Where a run's ground lies. The agents work in a repository of their own, people in another, and the host believes only
 * a third, which no agent can write to. All borrow the user's objects and write nothing of the user's.
 */
import { basename, join } from 'node:path'

export interface Ground {
  /** The user's repository: where git keeps its data. Agents may read its objects. */
  readonly userGitDir: string
  /** The files the agents work on. Whatever is in it is theirs. */
  readonly worktree: string
  /** All that the host keeps of this run's ground. */
  readonly dir: string
  /** The host's own bare repository: its refs, index and config are nobody else's. Agents may read it. */
  readonly store: string
  /** The agents' repository: in their sandboxes the worktree's `.git` names it. Whatever is in it is theirs. */
  readonly agentRepo: string
  /** A file that says so, laid over the worktree's own `.git`. */
  readonly agentLink: string
  /** The people's repository: on disk the worktree's `.git` names it. Agents may not see it. See working-repository.ts. */
  readonly peopleRepo: string
  /** Checkouts of the very commits that are judged, a folder each, made by the host. Agents may not see them. */
  readonly checkouts: string
  /** What git writes in a sandbox before the store takes it over, see scratch.ts. */
  readonly scratch: string
  /** Where repositories that agents made in the worktree are moved, see clear-repositories.ts. */
  readonly aside: string
  /** Private copies of the user's folders, see confinement/private-copies.ts. */
  readonly copies: string
  /** A folder for each role that is not at work: what no commit has of its worktree, see role-files.ts. Agents may not see it. */
  readonly roles: string
  /** What setup made of this run's own files, see prepared.ts. Agents may not see it. */
  readonly prepared: string
  /** A folder for each agent of the run that stands in for the user's home: see confinement/private-home.ts. */
  readonly homes: string
  /** What commands of the run read about it, and the command to read it with: see runs/own-run-file.ts. */
  readonly own: string
  /** A folder for each seat, in which its agent answers, and nobody else's does. */
  readonly answers: string
}

export function groundAt(
  { grounds }: { readonly grounds: string },
  { worktree, gitDir }: { readonly worktree: string; readonly gitDir: string },
): Ground {
  const dir = join(grounds, basename(worktree))
  return {
    userGitDir: gitDir,
    worktree,
    dir,
    store: join(dir, 'store.git'),
    agentRepo: join(dir, 'agent.git'),
    agentLink: join(dir, 'agent-link'),
    peopleRepo: join(dir, 'people.git'),
    checkouts: join(dir, 'checkouts'),
    scratch: join(dir, 'scratch'),
    aside: join(dir, 'aside'),
    copies: join(dir, 'copies'),
    roles: join(dir, 'roles'),
    prepared: join(dir, 'prepared'),
    homes: join(dir, 'homes'),
    own: join(dir, 'own'),
    answers: join(dir, 'answers'),
  }
}
