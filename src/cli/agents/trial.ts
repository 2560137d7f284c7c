/**
 * `signalbox agents test NAME`: one agent at work for a minute, with the user's own model or a scripted one, in a repository
 * and a home of its own, through the real host. Told is what was seen, behaviour by behaviour, and what was not.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AgentProgram, DriverName } from '../../host/session/agent-program.ts'
import { formatDuration } from '../../model/duration.ts'
import { list, orNear } from '../../model/nearest.ts'
import { agentNames, type Config, installedAt, programFor, readConfig } from '../config/config.ts'
import { writtenSandbox } from '../config/sandbox-entry.ts'
import { EXIT } from '../exit.ts'
import { becomeHost } from '../hosting/become-host.ts'
import { withoutSecrets } from '../notify/channels.ts'
import { findRepository } from '../project/repository.ts'
import { layOut } from '../project/scratch-repository.ts'
import { complain } from '../terminal/complaint.ts'
import { consent } from '../terminal/consent.ts'
import type { CommandSetting } from '../wiring.ts'
import { LIMITS, NO_SCRIPTS, PROMPTS, RUNBOOK_FILE, type Scripts, trialFiles } from './trial-project.ts'
import { attendTrial } from './trial-run.ts'
import { createTrialText } from './trial-text.ts'
import { createVerdict } from './trial-verdict.ts'

export interface TrialOptions {
  /** Do not ask whether the model may be used. */
  readonly yes?: boolean
  readonly trace?: string
  /** How long it may take. */
  readonly time?: number
}

export const LIMIT_MS = 3 * 60_000

export async function testAgent(
  name: string,
  options: TrialOptions,
  setting: CommandSetting,
): Promise<number> {
  const { terminal, environment } = setting
  const subject = await subjectFor(name, setting)
  if ('problem' in subject) return complain(terminal, subject.problem, subject.code)
  const { program, config } = subject
  const missing = whyMissing(program, setting)
  if (missing !== null) return complain(terminal, missing, EXIT.usage)
  const limitMs = options.time ?? LIMIT_MS
  terminal.write(
    `This has ${terminal.paint('bold', program.name)} work with your model: about ${PROMPTS} short prompts, at most ${formatDuration(limitMs)}, $${LIMITS.costUsd.toFixed(2)} as far as it tells prices, and ${LIMITS.tokens.toLocaleString('en')} tokens.`,
  )
  const answer = await consent(options.yes === true ? 'given' : 'asked', setting)
  if (answer === 'unasked')
    return complain(
      terminal,
      'Nobody sits here to be asked: --yes says that your model may be used.',
      EXIT.usage,
    )
  if (answer === 'no') return EXIT.interrupted
  const variables = withoutSecrets(environment.variables, config.notify)
  return tryOut({ ...subject, limitMs, scripts: NO_SCRIPTS, trace: options.trace, variables }, setting)
}

export interface Trial {
  readonly program: AgentProgram
  readonly config: Config
  readonly limitMs: number
  readonly scripts: Scripts
  readonly trace: string | undefined
  /** What of the user's environment it gets. */
  readonly variables: Readonly<Record<string, string>>
}

/** In a folder of its own, which is kept where something went wrong. */
export async function tryOut(trial: Trial, setting: CommandSetting): Promise<number> {
  const { terminal } = setting
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-trial-')))
  const code = await tryIn(folder, trial, setting)
  if (code === EXIT.ok || code === EXIT.interrupted)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  else terminal.write(terminal.paint('dim', `Everything is kept in ${folder}; its host's data in home/.`))
  return code
}

async function tryIn(folder: string, trial: Trial, setting: CommandSetting): Promise<number> {
  const { environment, version, terminal } = setting
  const [repo, home, configDir] = ['repo', 'home', 'config'].map((each) => join(folder, each)) as [
    string,
    string,
    string,
  ]
  await layOut(repo, { files: trialFiles(trial.scripts), commit: 'a repository to try an agent on' })
  mkdirSync(configDir)
  writeFileSync(
    join(configDir, 'config.yaml'),
    JSON.stringify({ sandbox: writtenSandbox(trial.config.sandbox) }),
  )
  const text = createTrialText(terminal)
  const verdict = createVerdict((shown) => text.tell(shown))
  const hosting = await becomeHost({
    environment: {
      ...environment,
      home,
      configDir,
      variables: trial.variables,
    },
    version,
    port: 0,
    work: true,
    trace: trial.trace === undefined ? null : resolve(trial.trace),
    onWire: (message) => verdict.hear(message),
    program: trial.program,
    hides: [environment.home, environment.configDir],
  })
  if (hosting === null || 'problem' in hosting)
    return complain(terminal, hosting?.problem ?? 'The trial has a host already.', EXIT.failed)
  try {
    const started = await hosting.operations.start({
      runbook: join(repo, RUNBOOK_FILE),
      dir: repo,
      base: null,
      issue: null,
      vars: {},
    })
    if ('problems' in started) return complain(terminal, started.problems.join('\n'), EXIT.failed)
    const { operations } = hosting
    const { signal } = setting
    const { run } = started
    const end = await attendTrial({ operations, run, repo, verdict, text, limitMs: trial.limitMs, signal })
    return text.conclude({ end, verdict, login: trial.program.login })
  } finally {
    await hosting.close()
  }
}

/** Whom a trial is about, and the config it stands in. */
export interface TrialSubject {
  readonly program: AgentProgram
  readonly config: Config
}

export async function subjectFor(
  name: string,
  { environment }: CommandSetting,
): Promise<TrialSubject | { readonly problem: string; readonly code: number }> {
  const found = await findRepository(process.cwd())
  const repo = 'repo' in found ? found.repo : null
  const { configDir, searchPath } = environment
  const { config } = readConfig({ configDir, repo })
  const program = programFor(config, { searchPath })(name)
  if (program === null) {
    const known = agentNames(config)
    const problem = `There is no agent "${name}"${orNear(name, known)} There are: ${list(known)}.`
    return { problem, code: EXIT.usage }
  }
  if (program.driver !== 'acp') {
    const problem = `${name} is ${KINDS[program.driver]}: it has no tools to be tried, and a run shows all there is.`
    return { problem, code: EXIT.usage }
  }
  return { program, config }
}

/** Null: it is there. */
export function whyMissing(program: AgentProgram, { environment }: CommandSetting): string | null {
  if (installedAt(program, environment.searchPath) !== null) return null
  const how = program.install === '' ? '' : ` To get it: ${program.install}`
  return `${program.name} is not installed: there is no ${program.argv[0]}.${how}`
}

const KINDS: Readonly<Record<Exclude<DriverName, 'acp'>, string>> = {
  command: 'a plain command',
  scripted: 'a script',
}
