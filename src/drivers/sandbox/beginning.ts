/** What happens inside a sandbox before its program begins, as a shell command around it: doors are opened, limits set. */
import { DOORMAN } from './doorman.ts'
import type { SandboxLimits } from './sandbox.ts'
import { CHANNEL_FD, WORDS_FD } from './sandboxed-command.ts'

export interface SandboxBeginning {
  readonly limits: SandboxLimits
  readonly doors: readonly number[]
  /** The Node that opens the doors. */
  readonly node: string
}

export const needsBeginning = ({ limits, doors }: SandboxBeginning): boolean =>
  doors.length > 0 || Object.values(limits).some((limit) => limit !== null)

export function begunArgv(beginning: SandboxBeginning, argv: readonly string[]): string[] {
  const { doors, node, limits } = beginning
  const opening =
    doors.length === 0 ? [] : [opened(doors.length), 'unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE']
  const script = [
    ...opening,
    ...limitCommands(limits),
    `command -v "$1" >/dev/null 2>&1 || { echo missing "$1" >&${WORDS_FD}; exit 127; }`,
    `exec "$@" ${WORDS_FD}>&- ${CHANNEL_FD}>&-`,
  ].join('\n')
  const given = doors.length === 0 ? [] : [node, DOORMAN, ...doors.map(String)]
  return ['/bin/sh', '-c', script, 'sh', ...given, ...argv]
}

/** With no environment but the channel: nothing of the program's may run in the doorman. */
function opened(doors: number): string {
  const ports = Array.from({ length: doors }, (_, index) => `"\${${index + 3}}"`).join(' ')
  return `/usr/bin/env -i NODE_CHANNEL_FD=${CHANNEL_FD} "$1" -e "$2" ${ports} >&2 || { echo closed >&${WORDS_FD}; exit 125; }
shift ${doors + 2}`
}

/** What the system allows less of already stays as it is. */
function limitCommands({ processes, openFiles, memoryBytes, fileBytes }: SandboxLimits): string[] {
  const set = (option: string, value: number | null) =>
    value === null ? [] : [`ulimit -${option} ${value} 2>/dev/null`]
  return [
    'ulimit -c 0',
    ...set('n', openFiles),
    // In blocks of 512 bytes.
    ...set('f', fileBytes === null ? null : Math.ceil(fileBytes / 512)),
    // In units of 1024, and twice as much: whoever watches over all of it comes first, and tells.
    ...set('d', memoryBytes === null ? null : Math.ceil((memoryBytes * 2) / 1024)),
    // One letter in dash, another in bash.
    ...(processes === null
      ? []
      : [`ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes} 2>/dev/null`]),
  ]
}

/** Why there was no beginning; null if there was. */
export function beginningTrouble(words: string): string | null {
  if (words.startsWith('closed')) return 'The doors of its network could not be opened in the sandbox.'
  const [, program] = /^missing (.*)\n/.exec(words) ?? []
  return program === undefined ? null : `The program ${program} was not found.`
}
