/**
 * Completion on Tab. The scripts know nothing of the commands: they ask `signalbox complete -- WORDS…`, which walks the
 * very program that would be run. Each line it prints is a candidate, with what it is for behind a tab.
 */
import type { Argument, Command, Option } from 'commander'
import { visible } from './terminal.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A line that asks the shell for file names: only it knows how they are quoted. */
const FILES = ':files'

export interface CompletionRequest {
  readonly program: Command
  /** What was typed after `signalbox`; the last is the one to complete, maybe empty. */
  readonly words: readonly string[]
  readonly runIds: () => Promise<readonly string[]>
  readonly issueIds?: () => Promise<readonly string[]>
  /** Those that somebody may want to name, each with what it is about. */
  readonly decisions?: () => Promise<readonly (readonly [id: string, about: string])[]>
  /** The options of one decision, each with its label. */
  readonly optionsOf?: (decision: string) => Promise<readonly (readonly [key: string, about: string])[]>
}

export async function candidates(request: CompletionRequest): Promise<string[]> {
  const { program, words, runIds, issueIds } = request
  const typed = words.at(-1) ?? ''
  const { command, asked, positional, first, onlyPlain } = walk(program, words.slice(0, -1))
  const values = async (slot: Slot | undefined, prefix: string): Promise<string[]> => {
    if (slot === undefined) return []
    if (slot.choices.length > 0) return slot.choices.filter((each) => each.startsWith(prefix))
    if (slot.name === 'run') return (await runIds()).filter((id) => id.startsWith(prefix))
    if (slot.name === 'issue') return ((await issueIds?.()) ?? []).filter((id) => id.startsWith(prefix))
    if (slot.name === 'decision') return described((await request.decisions?.()) ?? [], prefix)
    if (slot.name === 'option') return described((await request.optionsOf?.(first)) ?? [], prefix)
    return FILE_NAMES.test(slot.name) ? [FILES] : []
  }
  if (asked !== null) return values(slotOfOption(asked), typed === '=' ? '' : typed)
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? []
  if (flag !== undefined && value !== undefined && !onlyPlain) {
    const option = optionCalled(command, flag)
    const found = option === undefined ? [] : await values(slotOfOption(option), value)
    return found.map((each) => (each === FILES ? FILES : `${flag}=${each}`))
  }
  if (typed.startsWith('-') && !onlyPlain) return optionsOf(command, typed, words.slice(0, -1))
  const commands = positional === 0 && !onlyPlain ? commandsOf(command, typed) : []
  return [...commands, ...(await values(slotOfArgument(command, positional), typed))]
}

const described = (found: readonly (readonly [string, string])[], prefix: string): string[] =>
  found.filter(([word]) => word.startsWith(prefix)).map(([word, about]) => line(word, about))

interface Standing {
  readonly command: Command
  /** The option whose value comes next. */
  readonly asked: Option | null
  /** Arguments so far. */
  readonly positional: number
  /** The first of them; empty where there is none. */
  readonly first: string
  /** After `--` nothing is an option. */
  readonly onlyPlain: boolean
}

function walk(program: Command, words: readonly string[]): Standing {
  let standing: Standing = { command: program, asked: null, positional: 0, first: '', onlyPlain: false }
  for (const word of words) standing = after(standing, word)
  return standing
}

function after(standing: Standing, word: string): Standing {
  const { command, asked, positional, onlyPlain } = standing
  // Where the shell cuts words at "=", the value is still to come.
  if (asked !== null) return word === '=' ? standing : { ...standing, asked: null }
  if (word === '--') return { ...standing, onlyPlain: true }
  if (word.startsWith('-') && word !== '-' && !onlyPlain) {
    const option = optionCalled(command, word)
    return option?.required === true ? { ...standing, asked: option } : standing
  }
  const next = onlyPlain || positional > 0 ? undefined : commandCalled(command, word)
  return next === undefined
    ? { ...standing, positional: positional + 1, first: positional === 0 ? word : standing.first }
    : { command: next, asked: null, positional: 0, first: '', onlyPlain: false }
}

const commandCalled = ({ commands }: Command, word: string): Command | undefined =>
  commands.find((each) => each.name() === word || each.aliases().includes(word))

const optionCalled = ({ options }: Command, word: string): Option | undefined =>
  options.find(({ short, long }) => word === short || word === long)

interface Slot {
  readonly name: string
  readonly choices: readonly string[]
}

const FILE_NAMES = /^(?:file|files|runbook|runbooks|dir|folder|path)$/

function slotOfArgument({ registeredArguments }: Command, positional: number): Slot | undefined {
  const last = registeredArguments.at(-1)
  const argument: Argument | undefined =
    registeredArguments[positional] ?? (last?.variadic === true ? last : undefined)
  return argument === undefined ? undefined : { name: argument.name(), choices: argument.argChoices ?? [] }
}

/** The value's name where it says something, as in `--scenario <file>`; else the option's own, as in `--issue <id>`. */
function slotOfOption(option: Option): Slot {
  const name = /[<[]([^.>\]]+)/.exec(option.flags)?.[1] ?? ''
  const own = option.name()
  return { name: own === 'run' || own === 'issue' ? own : name, choices: option.argChoices ?? [] }
}

const commandsOf = (command: Command, typed: string): string[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name().startsWith(typed))
    .map((each) => line(each.name(), each.description()))

/** Those that were given are not offered again, unless they may be. */
const optionsOf = (command: Command, typed: string, given: readonly string[]): string[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ short, long, variadic, parseArg }) => {
      const isGiven = given.some((word) => word === short || word === long)
      return !isGiven || variadic || parseArg !== undefined
    })
    .map(({ long, short, description }) => [long ?? short ?? '', description] as const)
    .filter(([flag]) => flag.startsWith(typed))
    .map(([flag, description]) => line(flag, description))

const line = (word: string, about: string): string => (about === '' ? word : `${word}\t${visible(about)}`)

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of signalbox for bash. Put this into ~/.bashrc:
#   eval "$(signalbox completion bash)"
_signalbox() {
  local line file word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${FILES}' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "\${word#=}")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(signalbox complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _signalbox signalbox
`,
  zsh: `#compdef signalbox
# Completion of signalbox for zsh. Put this into ~/.zshrc, after compinit:
#   eval "$(signalbox completion zsh)"
_signalbox() {
  local line value ret=1
  local -a described
  while IFS= read -r line; do
    if [[ $line == '${FILES}' ]]; then
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      _files && ret=0
      continue
    fi
    value=\${line%%$'\\t'*}
    if [[ $line == *$'\\t'* ]]; then
      described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    else
      described+=("\${value//:/\\\\:}")
    fi
  done < <(signalbox complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe signalbox described && ret=0
  return ret
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _signalbox "$@"
else
  compdef _signalbox signalbox
fi
`,
  fish: `# Completion of signalbox for fish. Put this into ~/.config/fish/config.fish:
#   signalbox completion fish | source
function __signalbox_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (string unescape -- (commandline -ct); or commandline -ct)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    for line in (signalbox complete -- $words "$current" 2>/dev/null)
        if test "$line" = '${FILES}'
            string replace -r -- '^' "$flag" (__fish_complete_path (string replace -- "$flag" '' "$current"))
        else
            printf '%s\\n' $line
        end
    end
end
complete -c signalbox -f -a '(__signalbox_complete)'
`,
}
