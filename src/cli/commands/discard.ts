/** `signalbox discard`: what an ended run left, removed. What nobody has merged is asked about first, and can be got back. */
import type { Command } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { RunEvent } from '../../model/event.ts'
import { EXIT } from '../exit.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { consent } from '../terminal/consent.ts'
import { plural } from '../terminal/terminal.ts'
import { type CommandSetting, settingOf, type Wiring, withOperations } from '../wiring.ts'

export function addDiscard(program: Command, wiring: Wiring): void {
  program
    .command('discard')
    .description('remove the worktree and the branch of an ended run; its record is kept')
    .argument('<run>', RUN_ID)
    .option('--yes', 'also what is not merged, without being asked')
    .action(async (run: string, options: DiscardOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) =>
          discard(run, options, { ...settingOf(wiring), operations }),
        ),
      ),
    )
}

interface DiscardOptions {
  readonly yes?: boolean
}

async function discard(
  prefix: string,
  { yes = false }: DiscardOptions,
  setting: CommandSetting & { readonly operations: Operations },
): Promise<number> {
  const { terminal, operations } = setting
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const { run } = found
  const first = await operations.act(run, { kind: 'discard', unmerged: yes })
  if ('problem' in first) {
    if (first.code !== 'unmerged') return complain(terminal, first.problem, EXIT.failed)
    const detail = await operations.show(run)
    if ('problem' in detail || detail.work === null) return complain(terminal, first.problem, EXIT.failed)
    const { into, ahead, commit } = detail.work
    terminal.write(
      `${into} has not got what ${run} did: ${plural(ahead, 'commit')}, the last is ${commit.slice(0, 9)}.`,
    )
    const said = await consent('asked', setting)
    if (said === 'unasked') return complain(terminal, first.problem, EXIT.failed)
    if (said === 'no') return complain(terminal, 'Nothing was removed.', EXIT.failed)
    const second = await operations.act(run, { kind: 'discard', unmerged: true })
    if ('problem' in second) return complain(terminal, second.problem, EXIT.failed)
  }
  terminal.write(`${run} is discarded; its record is kept`)
  const kept = await keptBy(operations, run)
  if (kept !== null)
    terminal.write(
      `Its work is kept at ${kept.commit} until you delete ${kept.ref}. To have it back: git branch ${run} ${kept.ref}`,
    )
  return EXIT.ok
}

async function keptBy(operations: Operations, run: string) {
  const events = (await operations.events(run, 0)).map(({ data }) => data as RunEvent)
  const last = events.findLast((event) => event.type === 'run.discarded')
  return last?.type === 'run.discarded' ? (last.kept ?? null) : null
}
