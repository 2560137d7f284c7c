/**
 * What a person is shown who must permit something: all of the request, and in the headline what would be done rather than
 * what a model calls it. A request that is too long for a card cannot be allowed.
 */
import { PERMISSION_KINDS, type Permission, type PermissionKind } from '../../drivers/index.ts'
import { firstCharacters, longerThan } from '../../model/characters.ts'
import { CAPS, MAX_PERMISSION_CONTEXT, PERMISSION_KIND } from '../../model/decision.ts'

export function permissionDecision(agent: string, permission: Permission): object {
  const whole = contextOf(permission)
  const isWhole = !longerThan(whole, MAX_PERMISSION_CONTEXT)
  const names = new Map(permission.options.map(({ kind, name }) => [kind, name.trim()]))
  const kinds = isWhole
    ? PERMISSION_KINDS.filter((kind) => names.has(kind) || kind === 'allow_once' || kind === 'reject_once')
    : (['reject_once', 'reject_always'] as const)
  return {
    kind: PERMISSION_KIND,
    headline: firstCharacters(headlineOf(permission), CAPS.headline),
    question: `May ${firstCharacters(agent, 60)} do this?`,
    context: isWhole ? whole : `${TOO_LONG}\n\n${firstCharacters(whole, MAX_SHOWN_OF_TOO_LONG)}`,
    // By our names: an agent's own could call a yes a no.
    options: kinds.map((key) => ({
      key,
      label: NAMES[key],
      body: bodyOf(key, names.get(key) ?? ''),
      reversible: !key.startsWith('allow'),
    })),
    urgency: 'high',
  }
}

const MAX_SHOWN_OF_TOO_LONG = 4_096

const TOO_LONG = `This request cannot be allowed: it is longer than the ${MAX_PERMISSION_CONTEXT.toLocaleString('en')} characters that a card shows. Reject it, and ask for smaller steps. It begins so:`

const NAMES: Readonly<Record<PermissionKind, string>> = {
  allow_once: 'Allow once',
  allow_always: 'Allow always',
  reject_once: 'Reject once',
  reject_always: 'Reject always',
}

const bodyOf = (kind: PermissionKind, name: string): string =>
  name === '' || name.toLowerCase() === NAMES[kind].toLowerCase()
    ? ''
    : firstCharacters(`The agent calls it: ${name}`, CAPS.body)

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
    files.length === 0 ? '' : `Files:\n${files.join('\n')}`,
    ...texts.map((text) => text.trim()),
    title.trim() === '' || commands.includes(title.trim()) ? '' : `The agent calls it: ${title.trim()}`,
    isEmpty(input) ? '' : JSON.stringify(input, null, 2),
  ].filter((part) => part !== '')
  const isTold = commands.length + files.length + texts.length > 0 || !isEmpty(input)
  return [...(isTold ? [] : [UNTOLD]), ...parts].join('\n\n')
}

const UNTOLD =
  'The agent does not tell what it would do: neither a command nor a file came with its request, only the title above.'

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
