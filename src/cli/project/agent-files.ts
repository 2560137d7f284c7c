/**
 * The files by which agents know of Signalbox outside of runs, each in the place and the words of its program: an entry
 * for the MCP server, and what to do with it. What people have in these files stays as it is, to the byte.
 */
import { kindInside } from '../../host/inside/read-inside.ts'
import type { Problem } from '../../host/workspace/problem.ts'
import { RULES, SKILL } from './agent-rules.ts'
import { type Deed, deedOf, PRESENT, textOfFile } from './deed.ts'
import type { EditedFile } from './edited-file.ts'
import { type JsonEntry, withEntry, withoutEntry } from './json-entry.ts'
import { type MarkedBlock, withBlock, withoutBlock } from './marked-block.ts'
import { tomlNames } from './toml-names.ts'

export const AGENTS_WITH_FILES = ['claude', 'codex', 'gemini', 'opencode'] as const
export type AgentWithFiles = (typeof AGENTS_WITH_FILES)[number]

const MCP_FILE = '.mcp.json'
const CODEX_CONFIG = '.codex/config.toml'
const GEMINI_SETTINGS = '.gemini/settings.json'
/** The first that is there, else the last. */
const OPENCODE_CONFIGS = ['opencode.jsonc', 'opencode.json'] as const
const SERVER = { command: 'signalbox', args: ['mcp'] } as const

export interface AgentFilesOrder {
  readonly repo: string
  readonly agents: readonly AgentWithFiles[]
  readonly act: 'write' | 'remove'
  readonly force: boolean
}

/** One plan for all of them; the first thing that is in the way is told, and then nothing is done. */
export function agentDeeds(order: AgentFilesOrder): Deed[] | Problem {
  const deeds = new Map<string, Deed>()
  for (const part of partsOf(order)) {
    if (deeds.has(part.file)) continue
    const read = textOfFile(order.repo, part.file)
    if ('problem' in read) return read
    const deed = deedOf(part.file, part.edit(read.text, order), { note: part.note })
    if ('problem' in deed) return deed
    deeds.set(part.file, deed)
  }
  return [...deeds.values()]
}

/** The entry for the MCP server alone, where Claude and others look for it. */
export function mcpDeed(order: Pick<AgentFilesOrder, 'repo' | 'force'>): Deed | Problem {
  const read = textOfFile(order.repo, MCP_FILE)
  if ('problem' in read) return read
  const edited = FILES.claude.entry.edit(read.text, { ...order, agents: [], act: 'write' })
  return deedOf(MCP_FILE, edited, { note: CAN_ASK })
}

interface Part {
  readonly file: string
  readonly note: string
  readonly edit: Edit
}

type Edit = (text: string | null, order: AgentFilesOrder) => EditedFile

interface AgentFiles {
  readonly entry: { readonly file: (repo: string) => string; readonly edit: Edit }
  readonly rules: { readonly file: string; readonly edit: Edit }
}

const CAN_ASK = 'agents outside of runs can ask you'
const WHEN = 'when to ask you, and how to start and watch a run'

function partsOf(order: AgentFilesOrder): Part[] {
  return order.agents.flatMap((agent) => {
    const { entry, rules } = FILES[agent]
    const own = [{ file: entry.file(order.repo), edit: entry.edit, note: CAN_ASK }]
    // Another agent that is still set up reads the same rules.
    const isShared = order.act === 'remove' && othersWith(order, rules.file).length > 0
    return isShared ? own : [...own, { ...rules, note: WHEN }]
  })
}

function othersWith({ repo, agents, force }: AgentFilesOrder, rules: string): AgentWithFiles[] {
  return AGENTS_WITH_FILES.filter((agent) => {
    if (agents.includes(agent) || FILES[agent].rules.file !== rules) return false
    const { file, edit } = FILES[agent].entry
    const read = textOfFile(repo, file(repo))
    if ('problem' in read || read.text === null) return false
    return edit(read.text, { repo, agents: [agent], act: 'write', force }).kind === 'present'
  })
}

const inJson =
  (entry: JsonEntry): Edit =>
  (text, { act, force }) =>
    act === 'write' ? withEntry(text, entry, { force }) : withoutEntry(text, entry, { force })

const inMarkdown: Edit = (text, { act }) =>
  act === 'write' ? withBlock(text, MARKDOWN) : withoutBlock(text, MARKDOWN)

const MARKDOWN: MarkedBlock = {
  begin: '<!-- signalbox: begin -->',
  lines: RULES,
  end: '<!-- signalbox: end -->',
}

const inToml: Edit = (text, { act }) => {
  const rest = withoutBlock(text, TOML)
  if (rest.kind === 'malformed') return rest
  const others = rest.kind === 'changed' ? rest.text : rest.kind === 'absent' ? (text ?? '') : ''
  const read = tomlNames(others)
  if ('badLine' in read) return { kind: 'malformed', why: `it is not TOML (line ${read.badLine})` }
  if (act === 'remove') return rest
  if (read.names.some((name) => name.length === 1 && name[0] === 'mcp_servers' && isInline(others)))
    return {
      kind: 'malformed',
      why: '`mcp_servers` in it is written on one line, to which no table can be added',
    }
  if (read.names.some(([first, second]) => first === 'mcp_servers' && second === 'signalbox'))
    return { kind: 'kept', why: 'it has another "signalbox", which is left as it is' }
  return withBlock(text, TOML)
}

const isInline = (text: string): boolean => /^[ \t]*mcp_servers[ \t]*=/m.test(text)

const TOML: MarkedBlock = {
  begin: '# signalbox: begin',
  lines: [
    '[mcp_servers.signalbox]',
    `command = "${SERVER.command}"`,
    `args = ${JSON.stringify(SERVER.args)}`,
  ],
  end: '# signalbox: end',
}

const SKILL_TEXT = `${SKILL}${RULES.join('\n')}\n`

/** A file of our own: what was changed in it is the user's. */
const asSkill: Edit = (text, { act, force }) => {
  if (text === null) return act === 'write' ? { kind: 'new', text: SKILL_TEXT } : { kind: 'absent' }
  if (text === SKILL_TEXT) return { kind: act === 'write' ? 'present' : 'emptied' }
  if (!force)
    return { kind: 'kept', why: `it was changed; --force ${act === 'write' ? 'replaces' : 'removes'} it` }
  return act === 'write' ? { kind: 'changed', text: SKILL_TEXT } : { kind: 'emptied' }
}

const mcpServers = (syntax: JsonEntry['syntax']): Edit =>
  inJson({ path: ['mcpServers', 'signalbox'], value: SERVER, syntax })

const FILES: Readonly<Record<AgentWithFiles, AgentFiles>> = {
  claude: {
    entry: { file: () => MCP_FILE, edit: mcpServers('json') },
    rules: { file: '.claude/skills/signalbox/SKILL.md', edit: asSkill },
  },
  codex: {
    entry: { file: () => CODEX_CONFIG, edit: inToml },
    rules: { file: 'AGENTS.md', edit: inMarkdown },
  },
  gemini: {
    entry: { file: () => GEMINI_SETTINGS, edit: mcpServers('jsonc') },
    rules: { file: 'GEMINI.md', edit: inMarkdown },
  },
  opencode: {
    entry: {
      file: (repo) =>
        OPENCODE_CONFIGS.find((name) => kindInside({ root: repo, names: [name] }) !== null) ??
        OPENCODE_CONFIGS[1],
      edit: inJson({
        path: ['mcp', 'signalbox'],
        value: { type: 'local', command: [SERVER.command, ...SERVER.args], enabled: true },
        syntax: 'jsonc',
      }),
    },
    rules: { file: 'AGENTS.md', edit: inMarkdown },
  },
}

/** Whether the file has our entry once the deed is done. */
export const startsUs = ({ file, did, note }: Deed): boolean =>
  ENTRY_FILES.includes(file) && (did === 'created' || did === 'changed' || note === PRESENT)

const ENTRY_FILES = [MCP_FILE, CODEX_CONFIG, GEMINI_SETTINGS, ...OPENCODE_CONFIGS]

/** What to do where agents would not find the command that is written there. */
export const notOnPath = (file: string): string =>
  `${file} starts \`${SERVER.command}\`, which is not on your PATH, so agents will not find it: \`npm link\` in the folder of Signalbox puts it there; where Signalbox is a package of this project, name "npx" as the command there, and "signalbox" and "mcp" as what it is given.`
