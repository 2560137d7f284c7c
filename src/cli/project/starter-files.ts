/** The texts that a project begins with. */

import type { SaidCommand } from '../../host/project/commands-of-run.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'

export const RUNBOOK_FILE = '.signalbox/runbook.yaml'
export const EXAMPLE_ISSUE = '1'

/** Fits every repository and never fails for what was there before. */
export const HARMLESS_GATE = 'git diff --check'

export const starterRunbook = ({
  schema,
  gate,
  setup,
}: {
  /** Relative to the runbook; null where no path to it holds for everybody who has the project. */
  readonly schema: string | null
  readonly gate: string
  readonly setup: SaidCommand | null
}): string =>
  `${schema === null ? '' : `# yaml-language-server: $schema=${schema}\n`}# An agent develops, the gate must pass, another agent reviews, you sign off.
#   signalbox check ${RUNBOOK_FILE}       proves that every way through it ends
#   signalbox rehearse ${RUNBOOK_FILE}    walks every way, without agents
#   signalbox schema                              prints the schema that editors check it with
runbook: 1
name: develop
vars:
  issue: { required: true, say: "The issue to work on: a file in .signalbox/issues" }

${
  setup === null
    ? ''
    : `# Makes fresh files usable: the agents' and those that gates judge. Run once${setup.needs.length === 0 ? ' for each change: a script of the project\n# runs with it, so say with `needs: [...]` which files it depends on, and it is run only when one of them changes' : ' for each change of a file it needs'}.
setup: { run: ${asWritten(setup.run)}${setup.needs.length === 0 ? '' : `, needs: [${setup.needs.map((glob) => (glob.includes('*') ? `"${glob}"` : glob)).join(', ')}]`}, time: 15m }

`
}agents:
  dev: { use: default }
  reviewer: { use: default, writes: [] } # reads everything and changes nothing

steps:
  develop:
    agent: dev
    prompt: |
      Do what the issue "\${issue.title}" asks for, with tests, and nothing beyond it.
${setup === null ? '      This checkout is fresh: install what the project needs first.\n' : ''}    gate: { run: ${asWritten(gate)}, max: 3, time: 15m } # tried first, then run on a clean checkout when the agent says it is done; a failure sends it back
    time: 1h
    next: review

  review:
    agent: reviewer
    prompt: |
      Review the change with \`git diff \${run.base}...HEAD\`. Look for what is wrong, untested or risky,
      and for what the issue asks for and the change does not do. Name each problem as a finding.
    asks: verdict
    options:
      approve: { say: Does what the issue asks for and is tested, to: sign_off }
      reject: { say: Something must change first, to: develop, max: 2, then: sign_off }
    fields:
      feedback: { type: text, required_for: [reject], say: What must change and why }
      findings: { type: findings }
    settle_on: findings # a round without news ends the loop

  sign_off:
    decide: Keep this change?
    context: git diff \${run.base}...HEAD --stat
    options:
      keep: { say: The branch is ready to be merged, to: done, recommended: true }
      fix: { say: Something must change; say what in the note, to: develop, max: 2, then: abandoned }
      drop: { say: Not wanted after all, to: abandoned }
`

/** A command as it stands in a map on one line of YAML, where nothing is looked up in it. */
const asWritten = (command: string): string =>
  /^[a-z./][\w ./=@+-]*$/i.test(command) ? command : JSON.stringify(command.replaceAll('${', () => '$${'))

export function starterConfig(found: readonly AgentProgram[]): string {
  const [first] = found
  const examples = found.length === 0 ? ['claude'] : found.map(({ name }) => name)
  return `# Which programs play the runbooks' agents in this project. Everything here can be left out.
# ~/.config/signalbox/config.yaml says the same for all your projects, and alone says what agents may see and reach:
# a project may take away from that, and adds nothing.

agents:
  # Found here: ${found.length === 0 ? 'none yet (signalbox agents tells how to get one)' : examples.join(', ')}
  # default: ${first?.name ?? 'claude'}    # what \`use: default\` stands for; the first that is found by default
${examples.map((name) => `  # ${name}: { permissions: ask }    # ask or reject, where yours allow more`).join('\n')}
  # mine: { acp: "my-agent --acp", env: { KEY: "value" } }
  # script: { command: "my-script --quiet", prompt: stdin }

# What \${run.test} and the like stand for in runbooks; signalbox doctor shows what was found.
commands:
  # test: "npm test"
  # setup: { run: "npm ci", needs: [package-lock.json] }

sandbox:
  # use: required    # nothing of this project starts without one
  # network: off    # or only some hosts: [registry.npmjs.org, "*.example.com"]

limits:
  # agents: 4
  # commands: 2
`
}

export const starterIssue = `---
title: An example of an issue
status: Todo
depends-on: []
---

Say here what is to be done, and how one can see that it is done. One file is one issue, and its name is the id:
\`signalbox run runbook --issue ${EXAMPLE_ISSUE}\` takes this one through the runbook. Write your own with \`signalbox issue new "TITLE"\`,
and remove this one.
`
