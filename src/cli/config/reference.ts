/** The manual of the config, made from the same shapes that check a file (`npm run reference` writes docs/config.md). */
import { COMMON_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import { keysTable, shapeTable } from '../../runbook/language/shape-table.ts'
import { POLICIES } from '../attention/policy-language.ts'
import { CONFIG } from './language.ts'

/** Parts that get a section of their own. */
const SECTIONS = ['agents', 'commands', 'sandbox', 'people', 'notify', 'limits']

export function configReference(): string {
  return [
    '# The config',
    '',
    'Two files have the same keys: yours, `config.yaml` in `$SIGNALBOX_CONFIG`, else `$XDG_CONFIG_HOME/signalbox`, else',
    "`~/.config/signalbox`; and the project's, `.signalbox/config.yaml`, which is the repository's and so may be anybody's: it names agents",
    "and takes away from what yours grants, and adds nothing. Where both name an agent, the project's entry is taken, with nothing of your",
    'account. `signalbox doctor` says what is in force, and a mistake is told with its line and what would be right. This page is',
    'generated: `npm run reference`.',
    '',
    '## The file',
    '',
    CONFIG.doc,
    '',
    ...keysTable(CONFIG),
    '',
    ...SECTIONS.flatMap((key) => {
      const shape = CONFIG.fields[key]!
      return [`## ${key}`, '', shape.doc, '', ...shapeTable(shape), '', ...(MORE[key] ?? [])]
    }),
    '## policies.yaml',
    '',
    `${POLICIES.doc} Beside your own config, and only there; [Policies](policies.md) tells how they come to be.`,
    '',
    ...shapeTable(POLICIES),
    '',
  ].join('\n')
}

const MORE: Readonly<Record<string, readonly string[]>> = {
  agents: [
    `Ready without an entry, where they are installed: ${COMMON_AGENTS.map(({ name }) => `\`${name}\``).join(
      ', ',
    )}. An entry of that name changes parts of it; [Bring your agent](agents.md) tells more.`,
    '',
  ],
  commands: [
    "Found without an entry, by the project's own files: [Toolchains](toolchains.md) tells which, and how to say otherwise.",
    '',
  ],
}
