/** A folder for a run, and no git: nothing is ever changed in it. */
import type { Workplaces } from './workplaces.ts'

export const placesWithoutGit = (ensure?: () => Promise<unknown>): Workplaces => ({
  renewRepository: async () => {},
  leaveToPeople: async () => {},
  content: async () => '',
  see: async () => ({ mark: '', isAsTaken: true }),
  remove: async () => ({ removed: true }),
  ensure: async ({ placed }) => {
    await ensure?.()
    return { path: placed.placement.worktree }
  },
  once: (_name, act) => act(),
  collectWork: async () => ({ facts: [], outside: [], words: null, commit: 'c', diffstat: '' }),
  prepare: async () => ({ problem: 'nothing is set up here' }),
  bringBase: async (_, { commit, by }) => (by === null ? null : { tip: commit, by, commit, conflicts: [] }),
  enterRole: async () => 'here',
  settleRole: async () => {},
  layPrepared: async () => null,
  checkOut: async ({ placed }) => ({
    files: placed.placement.worktree,
    repository: placed.placement.gitDir,
    home: placed.placement.worktree,
    artifacts: [],
    remove: async () => {},
  }),
  keepFrom: async () => [],
  ignored: async () => [],
  searchGround: async () => null,
  changed: async () => '',
  changedFiles: async () => [],
  issues: {
    inTurn: (_loaded, act) => act(),
    folder: () => null,
    now: async () => ({ problem: 'there are no issues here' }),
    lay: async () => null,
    collect: async () => [],
    commit: async () => ({ problem: 'there are no issues here' }),
    bring: async (_loaded, { work }) => ({ commit: work, count: 0, waiting: null }),
    tellLanded: async () => {},
    readable: async () => null,
    unfinished: async () => null,
    keepUnfinished: async () => {},
    forgetUnfinished: async () => {},
  },
})
