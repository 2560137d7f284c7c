/** Before agents of another role begin, the worktree's ignored files become theirs: what they left, or what setup makes. */
import { stepOf } from '../../model/program.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { CommandNeeds } from './command.ts'
import { prepared, type SetupRun, setUp, setupOf } from './setup.ts'

export async function enterRole(needs: CommandNeeds, about: SetupRun): Promise<void> {
  const { loaded, step } = about
  const role = roleAt(loaded, step)
  if (role === null) return
  const entered = await needs.workplaces.enterRole(loaded, role, () => setupNow(needs, about))
  if (entered === 'here') return
  if (setupOf(loaded) !== null) await laySetup(needs, about)
  await needs.workplaces.settleRole(loaded, role)
}

/** Members of a panel work in one worktree at once. Null: no agent works there. */
function roleAt({ program }: LoadedRun, name: string): string | null {
  const step = stepOf(program, name)
  if (step.kind !== 'agent' && step.kind !== 'panel') return null
  return [...new Set(step.members.map(({ agent }) => agent))].sort().join('+')
}

/** Names what setup makes of the run's files as they are now. */
async function setupNow(needs: CommandNeeds, about: SetupRun): Promise<string> {
  const made = setupOf(about.loaded) === null ? null : await prepared(needs, about)
  return made !== null && 'kind' in made && made.kind === 'ready' ? made.files : ''
}

/** An agent may have changed what setup needs, so that it fails: whoever works there next is left to mend it. */
async function laySetup(needs: CommandNeeds, about: SetupRun): Promise<void> {
  const { loaded, step, visit } = about
  const done = await setUp(needs, about)
  const failed = 'problem' in done ? done.problem : done.exitCode === 0 ? null : done.output
  if (failed !== null)
    needs.log.write(loaded.run, { step, visit, who: 'setup', kind: 'note', text: `Setup failed. ${failed}` })
}
