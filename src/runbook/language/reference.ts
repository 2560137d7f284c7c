/** The manual of the language, made from the same shapes that check a file (`npm run reference` writes docs/language.md). */
import { FAULT_MEANING, FAULTS } from '../../model/fault.ts'
import { isProjectCommand, PROJECT_COMMANDS } from '../../model/project-command.ts'
import { FIELDS_OF } from '../interpolation.ts'
import { RUNBOOK } from './language.ts'
import { keysTable, shapeTable } from './shape-table.ts'

/** Parts that get a section of their own instead of being told again at every place they stand. */
const SECTIONS = ['agents', 'setup', 'steps', 'handoffs', 'templates', 'vars', 'limits', 'ends']

export function languageReference(): string {
  const sections = SECTIONS.map((key) => {
    const shape = RUNBOOK.fields[key]!
    return [`## ${key}`, '', shape.doc, '', ...shapeTable(shape)].join('\n')
  })
  return [
    '# The language',
    '',
    'Every key of a runbook in its YAML form. HCL and TypeScript have the same keys; `examples/` shows them at work, and',
    '`docs/checks.md` what is said when they are wrong. This page is generated: `npm run reference`.',
    '',
    '## The file',
    '',
    RUNBOOK.doc,
    '',
    ...keysTable(RUNBOOK),
    '',
    sections.join('\n\n'),
    '',
    ...faults(),
    ...lookUps(),
  ].join('\n')
}

const faults = (): string[] => [
  '## Faults',
  '',
  'How a step can end without an answer. Each is routed like an answer: by the step (`on:`), else by the flow, else a',
  'person is asked the same question, with retry while interventions last, and stop.',
  '',
  '| fault | when |',
  '|---|---|',
  ...FAULTS.map((fault) => `| \`${fault}\` | ${FAULT_MEANING[fault]} |`),
  '',
]

const lookUps = (): string[] => [
  '## Look-ups',
  '',
  'In prompts, questions and commands; in what an agent `writes`, of variables and steps only. `$${` is a literal `${`. A value',
  'that may be missing needs a fallback: `${steps.review.feedback ?? "none yet"}`; so does what `setup` gave. In a command a',
  'look-up is always (part of) exactly one shell word; only a command of the project, where it stands as a command, is one.',
  '',
  '| look-up | what it gives |',
  '|---|---|',
  '| `${var.NAME}` | a variable of the run |',
  '| `${steps.NAME.FIELD}` | what the latest visit of a step gave: `outcome`, `notes`, its variables, fields and handoff fields; of a panel with advisers also `advice`, what they chose and said |',
  ...Object.entries(FIELDS_OF).map(
    ([root, fields]) =>
      `| \`\${${root}.FIELD}\` | ${fields.filter((field) => !isProjectCommand(field)).join(', ')} |`,
  ),
  `| \`\${run.COMMAND}\` | ${PROJECT_COMMANDS.join(', ')}: a command of the project, as it was when the run started ([Toolchains](toolchains.md)) |`,
  '| `${file("PATH")}` | the text of a file in the worktree, when the step begins |',
  '',
]
