/** `signalbox policy list` and `check`: which answers are given without you, and whether they can be. */
import { isIncomplete, type Policy, type PolicyScope } from '../../attention/policy.ts'
import type { Operations } from '../../host/operations.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { EXIT } from '../exit.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { plural, type Terminal, table, visible } from '../terminal/terminal.ts'
import { readHistory } from './decision-history.ts'
import { type PolicyFile, readPolicyFile } from './policy-file.ts'

export interface PolicySetting {
  readonly terminal: Terminal
  readonly configDir: string
  readonly now: number
}

export interface PolicyLine {
  readonly name: string
  /** `incomplete`: it does not say enough to answer anything; `gone`: it has answered, and is not in the file any more. */
  readonly state: 'in force' | 'incomplete' | 'expired' | 'gone'
  readonly until: string | null
  readonly answer: string | null
  readonly when: PolicyScope | null
  readonly used: number
  readonly lastUsedAt: number | null
}

export async function policyList(
  options: { readonly json?: boolean },
  { operations, ...setting }: PolicySetting & { readonly operations: Operations },
): Promise<number> {
  const { terminal, configDir, now } = setting
  const read = readPolicyFile(configDir)
  if (hasErrors(read.diagnostics)) return tellDiagnostics(read, options, terminal)
  const history = await readHistory(operations, { status: 'closed', sinceAt: 0 })
  const lines = policyLines(read.policies, { history, now })
  if (options.json === true) terminal.write(JSON.stringify(lines, null, 2))
  else if (lines.length === 0)
    terminal.write(
      `There are no policies. You write them in ${read.file}, or signalbox policy suggest finds some.`,
    )
  else terminal.write(listText(lines, terminal))
  return EXIT.ok
}

export function policyCheck(
  options: { readonly json?: boolean },
  { terminal, configDir, now }: PolicySetting,
): number {
  const read = readPolicyFile(configDir)
  if (options.json === true || hasErrors(read.diagnostics)) return tellDiagnostics(read, options, terminal)
  if (!read.exists) {
    terminal.write(`There is no ${read.file}: no decision is answered without you.`)
    return EXIT.ok
  }
  const expired = read.policies.filter(({ expiresAt }) => expiresAt <= now)
  const names = expired.map(({ name }) => name).join(', ')
  terminal.write(
    `${terminal.paint('green', '✓')} ${visible(read.file)}: ${plural(read.policies.length, 'policy', 'policies')}${
      expired.length === 0 ? '' : `, of which ${expired.length} expired: ${names}`
    }`,
  )
  if (read.diagnostics.length > 0) terminal.write(diagnosticsText(read.diagnostics, read.file, terminal))
  return EXIT.ok
}

function tellDiagnostics(
  { file, policies, diagnostics }: PolicyFile,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): number {
  if (json === true) terminal.write(JSON.stringify({ file, policies, diagnostics }, null, 2))
  else terminal.write(diagnosticsText(diagnostics, file, terminal))
  return hasErrors(diagnostics) ? EXIT.failed : EXIT.ok
}

/** Those in the file, and those that have answered and are gone from it. */
export function policyLines(
  policies: readonly Policy[],
  { history, now }: { readonly history: readonly DecisionRow[]; readonly now: number },
): PolicyLine[] {
  const uses = new Map<string, { used: number; lastUsedAt: number | null }>()
  for (const { by, answeredAt } of history) {
    if (by?.kind !== 'policy') continue
    const { used, lastUsedAt } = uses.get(by.name) ?? NEVER
    uses.set(by.name, { used: used + 1, lastUsedAt: Math.max(lastUsedAt ?? 0, answeredAt ?? 0) })
  }
  const written = policies.map(({ name, until, answer, when, expiresAt }): PolicyLine => {
    const state = expiresAt <= now ? 'expired' : isIncomplete(when) ? 'incomplete' : 'in force'
    return { name, state, until, answer, when, ...(uses.get(name) ?? NEVER) }
  })
  const names = new Set(policies.map(({ name }) => name))
  const gone = [...uses].flatMap(([name, use]): PolicyLine[] =>
    names.has(name) ? [] : [{ name, state: 'gone', until: null, answer: null, when: null, ...use }],
  )
  return [...written, ...gone]
}

const NEVER = { used: 0, lastUsedAt: null } as const

function listText(lines: readonly PolicyLine[], { paint }: Terminal): string {
  const state = (cell: string): string => paint(cell === 'in force' ? 'green' : 'dim', cell)
  return table(
    [
      { head: 'POLICY', paint: (cell) => paint('bold', cell) },
      { head: 'STATE', paint: state },
      { head: 'UNTIL' },
      { head: 'USED', right: true },
      { head: 'ANSWER' },
      { head: 'WHEN', paint: (cell) => paint('dim', cell) },
    ],
    lines.map(({ name, state: is, until, used, answer, when }) => [
      name,
      is,
      until ?? '·',
      `${used}`,
      visible(answer ?? '·'),
      when === null ? '·' : visible(scopeText(when)),
    ]),
    '',
  )
}

export const scopeText = (when: PolicyScope): string =>
  Object.entries(when)
    .map(([key, value]) =>
      value === ''
        ? `no ${key === 'in' ? 'repository' : key}`
        : `${key} ${Array.isArray(value) ? value.join(key === 'says' ? ' · ' : '|') : value}`,
    )
    .join(', ')

/** What is wrong with the file, for a list of such things. */
export const policyFindings = (
  configDir: string,
): { readonly about: string; readonly state: 'bad' | 'note'; readonly text: string }[] =>
  readPolicyFile(configDir).diagnostics.map(({ severity, file, at, message }) => ({
    about: 'policies',
    state: severity === 'error' ? 'bad' : 'note',
    text: `${file}:${at.line}:${at.column} ${message}${severity === 'error' ? ' None is applied.' : ''}`,
  }))
