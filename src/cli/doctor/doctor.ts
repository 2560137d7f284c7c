/** `signalbox doctor`: what is in force here, what is wrong, and what to do about it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { homeAt } from '../../host/machine/home.ts'
import { localDay } from '../../host/machine/local-day.ts'
import { keptProgram } from '../../host/runs/kept-program.ts'
import { projectWith } from '../../host/runs/rebuild.ts'
import { fileTickets } from '../../host/runs/tickets-unlike.ts'
import { spentOverAll } from '../../host/spending/spending-rows.ts'
import { JournalFileError, type JournalReader, openSqliteReader } from '../../journal/index.ts'
import { daySpendingText, isLimitedByDay, isUsedUp } from '../../model/spending.ts'
import { policyFindings } from '../attention/policy.ts'
import { programFor, readConfig } from '../config/config.ts'
import { EXIT } from '../exit.ts'
import { becomeHost } from '../hosting/become-host.ts'
import { hostPresence, silentText } from '../hosting/host-presence.ts'
import { channelFindings, lostFindings } from '../notify/notify-findings.ts'
import { findRepository } from '../project/repository.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, type Terminal } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { commandFindings } from './command-findings.ts'
import { bad, type DoctorFinding, good, orTold } from './doctor-finding.ts'
import { exportWithoutJournal } from './export-findings.ts'
import { filesWithoutJournal, fitFindings } from './fit-findings.ts'
import { recordFindings } from './record-findings.ts'
import { sandboxFindings } from './sandbox-findings.ts'
import { storageFindings } from './storage-findings.ts'
import { usageFindings } from './usage-findings.ts'

export interface DoctorOptions {
  readonly rebuild?: boolean
  readonly json?: boolean
  /** A file of `decision export` to hold the record against. */
  readonly against?: string
}

export async function doctor(options: DoctorOptions, setting: CommandSetting): Promise<number> {
  const { terminal } = setting
  if (options.rebuild === true) return rebuild(setting)
  const ground = await findRepository(process.cwd())
  const repo = 'repo' in ground ? ground.repo : null
  const findings = [
    await gitFinding(),
    await hostFinding(setting),
    ...storageFindings(homeAt(setting.environment.home)),
    ...(await journalFindings(setting, options.against ?? null)),
    ...(await sandboxFindings(setting.environment, repo)),
    agentFinding(setting, repo),
    ...commandFindings(repo, setting.environment),
    ...configFindings(setting, repo),
    ...policyFindings(setting.environment.configDir),
    ...channelFindings(
      readConfig({ configDir: setting.environment.configDir, repo: null }).config,
      setting.environment,
    ),
  ]
  if (options.json === true) terminal.write(JSON.stringify(findings, null, 2))
  else terminal.write(findingsText(findings, terminal))
  return findings.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.ok
}

function findingsText(findings: readonly DoctorFinding[], { paint }: Terminal): string {
  const marks = { good: paint('green', '✓'), note: paint('yellow', '!'), bad: paint('red', '✗') } as const
  const width = Math.max(...findings.map(({ about }) => about.length))
  return findings
    .map(({ about, state, text }) => `${marks[state]} ${about.padEnd(width)}  ${text}`)
    .join('\n')
}

async function gitFinding(): Promise<DoctorFinding> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'])
    return { about: 'git', state: 'good', text: stdout.trim() }
  } catch {
    return { about: 'git', state: 'bad', text: 'git is not installed; runs need it' }
  }
}

async function hostFinding({ environment }: CommandSetting): Promise<DoctorFinding> {
  const found = await hostPresence(environment)
  switch (found.is) {
    case 'there':
      return good('host', `${found.door.url} (process ${found.door.pid})`)
    case 'silent':
      return bad('host', silentText(found))
    case 'absent':
      return {
        about: 'host',
        state: 'note',
        text: 'no host is running; signalbox up, or signalbox run, starts one',
      }
  }
}

async function journalFindings(
  { environment }: CommandSetting,
  against: string | null,
): Promise<DoctorFinding[]> {
  const home = homeAt(environment.home)
  const { database } = home
  if (!existsSync(database))
    return [
      { about: 'journal', state: 'note', text: `${database} (made by the first run)` },
      ...filesWithoutJournal(home),
      ...(against === null ? [] : await exportWithoutJournal(against)),
    ]
  try {
    const reader = await openSqliteReader({ file: database })
    const open = await reader.count('run', 'open')
    const ended = await reader.count('run', 'ended')
    const lost = await orTold('notices', () => lostFindings(reader, Date.now()))
    const record = await recordFindings(reader, { home, against })
    const beside = [
      ...(await orTold('worktrees', () => fitFindings(home, reader))),
      ...(await usageFindings(home, await reader.keptBytes())),
    ]
    const spending = await orTold('today', () => spendingFindings(reader, environment.configDir))
    await reader.close()
    return [
      {
        about: 'journal',
        state: 'good',
        text: `${database}: ${plural(open, 'run')} going on, ${ended} ended`,
      },
      ...record,
      ...lost,
      ...beside,
      ...spending,
    ]
  } catch (error) {
    if (error instanceof JournalFileError) return [{ about: 'journal', state: 'bad', text: error.message }]
    throw error
  }
}

/** What people allowed beyond it for today is the host's to count: signalbox ps tells. */
async function spendingFindings(
  reader: Pick<JournalReader, 'list'>,
  configDir: string,
): Promise<readonly DoctorFinding[]> {
  const { dayLimits } = readConfig({ configDir, repo: null }).config
  if (!isLimitedByDay(dayLimits)) return []
  const spent = await spentOverAll(reader, localDay(Date.now()).startAt)
  const state = isUsedUp(dayLimits, spent) ? 'note' : 'good'
  return [{ about: 'today', state, text: `all runs have used ${daySpendingText(dayLimits, spent)}` }]
}

function agentFinding({ environment }: CommandSetting, repo: string | null): DoctorFinding {
  const { config } = readConfig({ configDir: environment.configDir, repo })
  const program = programFor(config, { searchPath: environment.searchPath })('default')
  return program === null
    ? {
        about: 'agents',
        state: 'note',
        text: 'none found for `use: default`; signalbox agents lists those it knows',
      }
    : {
        about: 'agents',
        state: 'good',
        text: `\`use: default\` is ${program.name}; signalbox agents lists them all`,
      }
}

function configFindings({ environment }: CommandSetting, repo: string | null): DoctorFinding[] {
  const { diagnostics } = readConfig({ configDir: environment.configDir, repo })
  return diagnostics.map(({ file, at, message, help }) => ({
    about: 'config',
    state: 'bad',
    text: [`${file}:${at.line}:${at.column} ${message}`, help ?? ''].join(' ').trimEnd(),
  }))
}

async function rebuild({ environment, version, terminal }: CommandSetting): Promise<number> {
  const hosting = await becomeHost({ environment, version, port: 0, work: false, trace: null })
  if (hosting === null)
    return complain(terminal, 'A host is running. Stop it first: signalbox down', EXIT.failed)
  if ('problem' in hosting) return complain(terminal, hosting.problem, EXIT.failed)
  try {
    const { journal } = hosting.host
    const { streams, unmade } = await journal.rebuild(projectWith((digest) => keptProgram(journal, digest)))
    terminal.write(`The read models were made again from ${plural(streams, 'stream')}.`)
    const filed = await fileTickets(journal, Date.now())
    if (filed > 0) terminal.write(`Duties of ${plural(filed, 'stream')} were filed anew.`)
    for (const { stream, why } of unmade) complain(terminal, `Not from ${stream}: ${why}`, EXIT.failed)
    return unmade.length === 0 ? EXIT.ok : EXIT.failed
  } finally {
    await hosting.close()
  }
}
