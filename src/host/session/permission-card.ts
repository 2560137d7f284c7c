/**
 * What a person is shown who must permit something: the command or the files, from wherever the agent put them, and in the
 * headline what would be done rather than what a model calls it. Where the agent does not tell, the card says so.
 */
import { PERMISSION_KINDS, type Permission, type PermissionKind } from '../../drivers/index.ts'
import { PERMISSION_KIND } from '../../engine/index.ts'
import { firstCharacters } from '../../model/characters.ts'
import { CAPS } from '../../model/decision.ts'

export function permissionDecision(agent: string, permission: Permission): object {
  const offered = new Map(permission.options.map(({ kind, name }) => [kind, name]))
  // Whatever an agent offers, it can always be allowed this once, or not.
  for (const kind of ['allow_once', 'reject_once'] as const)
    if (!offered.has(kind)) offered.set(kind, NAMES[kind])
  return {
    kind: PERMISSION_KIND,
    headline: firstCharacters(headlineOf(permission), CAPS.headline),
    question: `May ${firstCharacters(agent, 60)} do this?`,
    context: firstCharacters(contextOf(permission), CAPS.context),
    options: [...offered].map(([key, label]) => ({
      key,
      label: firstCharacters(label.trim() || NAMES[key], CAPS.label),
      reversible: !key.startsWith('allow'),
    })),
    urgency: 'high',
  }
}

const NAMES: Readonly<Record<PermissionKind, string>> = {
  allow_once: 'Allow once',
  allow_always: 'Allow always',
  reject_once: 'Reject once',
  reject_always: 'Reject always',
}

/** What a person picked, as the kind of permission it stands for; anything else is no permission. */
export const permissionPicked = (pick: string): PermissionKind =>
  PERMISSION_KINDS.find((kind) => pick === kind) ?? 'reject_once'

/** A title may be the model's own words: what it names comes first, and the title after it. */
function headlineOf(permission: Permission): string {
  const title = oneLine(permission.title)
  const [command] = commandsIn(permission.input)
  const [file] = filesOf(permission)
  const deed = oneLine(command ?? file ?? '')
  if (deed === '' || title.startsWith(deed)) return title || deed || 'Permission'
  if (command === undefined && title.includes(deed)) return title
  return title === '' ? deed : `${deed} (${title})`
}

function contextOf(permission: Permission): string {
  const { title, input, texts } = permission
  const commands = commandsIn(input)
  const files = filesOf(permission)
  const parts = [
    commands.length === 0 ? '' : `Command:\n${commands.join('\n')}`,
    files.length === 0 ? '' : `Files:\n${files.slice(0, MOST_FILES).join('\n')}${more(files)}`,
    ...texts.map((text) => text.trim()),
    commands.length === 0 || commands.includes(title.trim()) ? '' : `The agent calls it: ${title.trim()}`,
    isEmpty(input) ? '' : JSON.stringify(input, null, 2),
  ].filter((part) => part !== '')
  return parts.length === 0 ? UNTOLD : parts.join('\n\n')
}

const UNTOLD =
  'The agent does not tell what it would do: neither a command nor a file came with its request, only the title above.'

const MOST_FILES = 20
const more = (files: readonly string[]): string =>
  files.length > MOST_FILES ? `\n… and ${files.length - MOST_FILES} more` : ''

const isEmpty = (input: unknown): boolean =>
  input === null ||
  input === undefined ||
  input === '' ||
  (typeof input === 'object' && Object.keys(input).length === 0)

const COMMAND_FIELDS = ['command', 'cmd', 'commands', 'script', 'code']
const FILE_FIELDS = ['path', 'file_path', 'filePath', 'abs_path', 'absolute_path', 'notebook_path', 'file']

/** Those it would run, as it would type them. */
function commandsIn(input: unknown): readonly string[] {
  const found = COMMAND_FIELDS.flatMap((field) => {
    const value = fieldOf(input, field)
    if (typeof value === 'string') return [value]
    if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return []
    return field === 'commands' ? (value as string[]) : [value.join(' ')]
  })
  return [...new Set(found.filter((command) => command.trim() !== ''))]
}

function filesOf({ input, files }: Permission): readonly string[] {
  const named = FILE_FIELDS.flatMap((field) => {
    const value = fieldOf(input, field)
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  return [...new Set([...named, ...files])]
}

const fieldOf = (input: unknown, field: string): unknown =>
  typeof input === 'object' && input !== null && Object.hasOwn(input, field)
    ? (input as Record<string, unknown>)[field]
    : undefined

const oneLine = (text: string): string => {
  const [first = '', ...rest] = text.trim().split('\n')
  return rest.length === 0 ? first : `${first.trimEnd()} …`
}
