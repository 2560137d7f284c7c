/** One entry under `agents:` of a config file → the program it describes, or the name it stands for. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { NO_KEEPS } from '../../host/confinement/keeps/keeps.ts'
import { type AgentProgram, DRIVER_NAMES, type DriverName } from '../../host/session/agent-program.ts'
import { isModelName, MODEL_NAME_HELP } from '../../model/model-name.ts'
import { list } from '../../model/nearest.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, type Entry, entryOf, type Tree, textOf } from '../../runbook/tree.ts'
import { splitWords } from './command-words.ts'
import { readKeeps } from './keeps-entry.ts'
import { readNames } from './lists.ts'
import { readFailures, readScripted } from './scripted-entry.ts'
import { readVariables } from './variables-entry.ts'

/** A text stands for the entry of that name. */
export type AgentEntry = AgentProgram | string

export interface EntrySetting {
  /** Whose file it stands in. */
  readonly of: 'user' | 'project'
  readonly report: Report
  /** What the name meant before this file: a ready entry, or one of the user's. */
  readonly before: AgentEntry | undefined
}

/** Null where it is told what is wrong. */
export function readAgentEntry(
  { key: name, value }: Entry,
  { of, report, before }: EntrySetting,
): AgentEntry | null {
  const alias = textOf(value)
  if (alias !== undefined) return alias
  const wrong = (at: Tree | Entry, message: string, help: string): null => {
    report.add({ code: 'config', at: at.at, path: value.path, message, help })
    return null
  }
  const given = DRIVER_NAMES.flatMap((driver) => {
    const entry = entryOf(value, driver)
    // As a map it says how its program is tried, see `scripted-entry.ts`.
    const isProgram = entry !== undefined && (driver !== 'scripted' || entry.value.kind !== 'map')
    return isProgram ? [{ driver, entry }] : []
  })
  const [program, second] = given
  if (second !== undefined)
    return wrong(second.entry, `\`${value.path}\` names two programs.`, `Keep one of ${list(DRIVER_NAMES)}.`)
  const base = typeof before === 'string' ? undefined : before
  const taken = of === 'user' ? base : undefined
  const named =
    program === undefined ? base : readProgram(program, { name, file: report.file, base: taken, report })
  if (named === null) return null
  if (named === undefined)
    return wrong(
      value,
      `\`${value.path}\` names no program.`,
      'Say which: `acp: "…"`, `command: "…"` or `scripted: …`. Only ready entries can be changed in part.',
    )
  const prompt = entryOf(value, 'prompt')
  if (prompt !== undefined && named.driver !== 'command')
    return wrong(prompt, '`prompt` is for plain commands.', 'Leave it out: the protocol carries the prompt.')
  const model = textOf(childOf(value, 'model'))
  if (model !== undefined && !isModelName(model))
    return wrong(
      entryOf(value, 'model') ?? value,
      `${JSON.stringify(model)} cannot be the name of a model.`,
      MODEL_NAME_HELP,
    )
  const env = readVariables(childOf(value, 'env'), report)
  // What a project says of it has no effect.
  const keeps =
    of === 'project' ? named.keeps : readKeeps(childOf(value, 'keeps'), { before: named.keeps, report })
  const passes = readNames(childOf(value, 'passes'), report)
  const failures = readFailures(childOf(value, 'failures'), report)
  const scripted = readScripted(childOf(value, 'scripted'), report)
  if (env === null || keeps === null || failures === null || scripted === null) return null
  const wished = {
    ...named,
    ...(failures === undefined ? {} : { failures: [...(named.failures ?? []), ...failures] }),
    ...(model === undefined ? {} : { model }),
    prompt: (textOf(prompt?.value) ?? named.prompt) as AgentProgram['prompt'],
    permissions: (textOf(childOf(value, 'permissions')) ?? named.permissions) as AgentProgram['permissions'],
  }
  if (of === 'project') {
    refuseLoosening(value, { report, base: program === undefined ? base : undefined, wished })
    const permissions = tighter(named.permissions, wished.permissions)
    return program === undefined
      ? { ...wished, permissions }
      : { ...wished, permissions, env, ofProject: true }
  }
  return {
    ...wished,
    env: { ...named.env, ...env },
    keeps,
    ...(passes === undefined ? {} : { passes: [...(named.passes ?? []), ...passes] }),
    ...(scripted === undefined ? {} : { scripted }),
  }
}

type Permissions = AgentProgram['permissions']

/** The tightest first. */
const PERMISSIONS: readonly Permissions[] = ['reject', 'ask', 'auto', 'allow']

const tighter = (one: Permissions, other: Permissions): Permissions =>
  PERMISSIONS.indexOf(one) < PERMISSIONS.indexOf(other) ? one : other

interface Loosening {
  readonly report: Report
  /** The entry of the user's, or a ready one, that the project would change; undefined where it names its own program. */
  readonly base: AgentProgram | undefined
  readonly wished: AgentProgram
}

/** Whoever can write to a project must not get at what a program of the user's has, nor speak for the user. */
function refuseLoosening(value: Tree, { report, base, wished }: Loosening): void {
  const refuse = (key: string, message: string): void => {
    const entry = entryOf(value, key)
    const help = 'Say it in your own config, if you want it so; signalbox doctor tells where that is.'
    if (entry !== undefined)
      report.add({ code: 'config', at: entry.at, path: entry.value.path, message, help })
  }
  refuse('passes', 'A project cannot ask for variables of your environment.')
  if (entryOf(value, 'scripted')?.value.kind === 'map')
    refuse('scripted', 'A project cannot say how a program is tried on your machine.')
  if (base !== undefined) {
    refuse('env', `A project cannot set variables of ${base.name}, which has your account.`)
    refuse('keeps', `A project cannot say what ${base.name} sees of your home.`)
  }
  if (PERMISSIONS.indexOf(wished.permissions) > PERMISSIONS.indexOf(base?.permissions ?? 'auto'))
    refuse('permissions', 'A project cannot grant more than you do.')
}

interface ProgramSetting {
  readonly name: string
  readonly file: string
  readonly base: AgentProgram | undefined
  readonly report: Report
}

interface WrittenProgram {
  readonly driver: DriverName
  readonly entry: Entry
}

/** Another program under a known name is taken to keep its settings where the known one does. */
function readProgram(
  { driver, entry: { value } }: WrittenProgram,
  { name, file, base, report }: ProgramSetting,
): AgentProgram | null {
  const rest = {
    prompt: 'stdin',
    env: {},
    keeps: NO_KEEPS,
    permissions: 'auto',
    ...base,
    name,
    driver,
    install: '',
  } as const
  const line = textOf(value) ?? ''
  const tell = (message: string, help: string, severity: 'error' | 'warning' = 'error'): null => {
    report.add({ code: 'config', severity, at: value.at, path: value.path, message, help })
    return null
  }
  switch (driver) {
    case 'scripted': {
      if (line.trim() === '') return tell('No script is named.', 'Name the file, relative to this one.')
      const script = absolute(line, file)
      if (!existsSync(script))
        tell(`The script ${script} does not exist.`, 'Paths are relative to this file.', 'warning')
      return { ...rest, argv: ['--script', script] }
    }
    case 'acp':
    case 'command': {
      const split = splitWords(line)
      if ('problem' in split)
        return tell(split.problem, 'Write the program and its arguments, as you would type them.')
      for (const doubt of split.doubts)
        tell(`There is no shell here: ${doubt}.`, 'Put it into a script, or name `sh -c "…"`.', 'warning')
      const [program = '', ...args] = split.words
      return { ...rest, argv: [/\//.test(program) ? absolute(program, file) : program, ...args] }
    }
  }
}

function absolute(path: string, file: string): string {
  if (path.startsWith('~/')) return join(homedir(), path.slice(2))
  return isAbsolute(path) ? path : resolve(dirname(file), path)
}
