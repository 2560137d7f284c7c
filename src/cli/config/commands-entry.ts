/**
 * `commands` of a config: the project's own commands, by name. A project may say them too: they are run where its scripts
 * and the gates of its runbooks are, held by the same sandbox, so nothing is granted by it.
 */
import type { SaidCommand, SaidCommands } from '../../host/project/commands-of-run.ts'
import { PROJECT_COMMANDS } from '../../model/project-command.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, itemsOf, type MapTree, type Tree, textOf } from '../../runbook/tree.ts'

export function readCommands(
  { tree, report }: { readonly tree: MapTree; readonly report: Report },
  isSound: (tree: Tree) => boolean,
): SaidCommands {
  const said = childOf(tree, 'commands')
  return Object.fromEntries(
    PROJECT_COMMANDS.flatMap((name) => {
      const entry = childOf(said, name)
      const read = entry === undefined || !isSound(entry) ? null : readCommand(entry, report)
      return read === null ? [] : [[name, read]]
    }),
  )
}

function readCommand(entry: Tree, report: Report): SaidCommand | null {
  const written = entry.kind === 'map' ? childOf(entry, 'run') : entry
  const run = textOf(written) ?? ''
  const at = written ?? entry
  if (run.trim() !== '' && !run.includes('\0'))
    return { run, needs: itemsOf(childOf(entry, 'needs')).flatMap((item) => textOf(item) ?? []) }
  report.add({
    code: 'config',
    at: at.at,
    path: at.path,
    message: run.includes('\0')
      ? 'This command holds a NUL, which no command can be given.'
      : `\`${entry.path}\` is empty, so it would always succeed.`,
    help: 'Write what should be run, or leave it out.',
  })
  return null
}
