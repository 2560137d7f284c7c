/** The project's own commands, as runs that look them up would have them, and what each is taken from. */
import { PROJECT_COMMANDS } from '../../model/project-command.ts'
import type { Environment } from '../environment.ts'
import { commandsHere } from '../project/commands-here.ts'

interface CommandFinding {
  readonly about: 'commands'
  readonly state: 'good' | 'note'
  readonly text: string
}

export function commandFindings(repo: string | null, environment: Environment): CommandFinding[] {
  if (repo === null) return []
  const { commands, manifests } = commandsHere(repo, environment)
  const rows = PROJECT_COMMANDS.flatMap((name): CommandFinding[] => {
    const one = commands[name]
    return one === undefined
      ? []
      : [{ about: 'commands', state: 'good', text: `\${run.${name}} is \`${one.run}\` (${one.why})` }]
  })
  const note = noteOn(rows.length, manifests)
  return note === null ? rows : [...rows, { about: 'commands', state: 'note', text: note }]
}

function noteOn(found: number, manifests: readonly string[]): string | null {
  if (found === 0)
    return 'none is known here for ${run.test} and the like; `commands:` in .signalbox/config.yaml says them'
  const [first, ...more] = manifests
  return more.length === 0
    ? null
    : `there are ${[first, ...more].join(', ')}: each command is taken from the first that has it, setup from all; \`commands:\` in .signalbox/config.yaml says otherwise`
}
