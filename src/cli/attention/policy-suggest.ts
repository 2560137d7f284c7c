/**
 * `signalbox policy suggest`: policies that your own answers speak for, each with what it would have got wrong. What is
 * printed is YAML, ready to be pasted; only `--ratify` writes.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Policy, policyFor } from '../../attention/policy.ts'
import {
  type Disagreement,
  type Suggestion,
  type Suggestions,
  suggestPolicies,
} from '../../attention/suggestion.ts'
import type { Operations } from '../../host/operations.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { formatDuration } from '../../model/duration.ts'
import { appendItem } from '../../runbook/yaml/append.ts'
import { EXIT } from '../exit.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, visible } from '../terminal/terminal.ts'
import { readHistory } from './decision-history.ts'
import type { PolicySetting } from './policy.ts'
import { endOfDay, type PolicyFile, readPolicyFile, readPolicyText } from './policy-file.ts'

export interface SuggestOptions {
  /** How far back answers count, in milliseconds. */
  readonly since: number
  readonly min: number
  /** Also what would have answered something otherwise than people did. */
  readonly disagreeing?: boolean
  readonly ratify?: string
  readonly json?: boolean
}

const IN_FORCE_DAYS = 90
const DAY_MS = 86_400_000

export async function policySuggest(
  options: SuggestOptions,
  { operations, ...setting }: PolicySetting & { readonly operations: Operations },
): Promise<number> {
  const { terminal, configDir, now } = setting
  const file = readPolicyFile(configDir)
  if (hasErrors(file.diagnostics)) {
    terminal.write(diagnosticsText(file.diagnostics, file.file, terminal))
    return EXIT.failed
  }
  const found = await suggestions(operations, { ...options, now, inForce: file.policies })
  const { suggested } = found
  if (options.ratify !== undefined)
    return ratify({ name: options.ratify, found: suggested, file, options }, setting)
  if (options.json === true) terminal.write(JSON.stringify(suggested, null, 2))
  else terminal.write(dimmed(suggestText(found, { file: file.file, ...options }), setting))
  return EXIT.ok
}

/** A list's lines lack the options' texts: the latest case of each is looked at as a whole. */
async function suggestions(
  operations: Operations,
  {
    since,
    min,
    now,
    inForce,
    disagreeing = false,
  }: SuggestOptions & { readonly now: number; readonly inForce: readonly Policy[] },
): Promise<Suggestions> {
  const day = dayText(now + IN_FORCE_DAYS * DAY_MS)
  const until = { until: day, expiresAt: endOfDay(day)! }
  const history = await readHistory(operations, { status: 'closed', sinceAt: 0 })
  const request = { sinceAt: now - since, least: min, now, until, inForce, disagreeing }
  const { suggested, withheld } = suggestPolicies(history, request)
  const sound = await Promise.all(
    suggested.map(async ({ policy, example }) => {
      const record = await operations.decisions.show(example)
      return 'problem' in record || policyFor([policy], { ...record, stages: [] }, now) !== null
    }),
  )
  return { suggested: suggested.filter((_, index) => sound[index]), withheld }
}

/** The day as people write it, where they are. */
function dayText(at: number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

interface Telling {
  readonly file: string
  readonly since: number
  readonly min: number
}

function suggestText({ suggested, withheld }: Suggestions, { file, since, min }: Telling): string {
  const left =
    withheld === 0
      ? ''
      : `\n# ${withheld} left out, which would have answered something otherwise than you did: --disagreeing shows them.`
  const about = `# Answers of the last ${formatDuration(since)} to questions that were alike, ${min} or more.${left}`
  if (suggested.length === 0) return `${about}\n# Nothing to suggest.`
  const yaml = suggested.reduce(
    (text, suggestion) => appendItem(text, itemOf(suggestion.policy, commentOf(suggestion))) ?? text,
    '',
  )
  const how = `# To take one: signalbox policy suggest --ratify NAME, or paste it into\n# ${visible(file)}`
  return `${about}\n${how}\n${yaml.trimEnd()}`
}

const dimmed = (text: string, { terminal: { paint } }: PolicySetting): string =>
  text.replaceAll(/^\s*#.*$/gm, (line) => paint('dim', line))

function itemOf({ name, when, answer, until }: Policy, comment: string) {
  return { key: 'policies', item: { name, when, answer, until }, comment }
}

function commentOf({ same, of, backTest: { answered, disagreed } }: Suggestion): string {
  return [
    `${same} of ${plural(of, 'answer')} were the same.`,
    `Back-test on all you have answered: it would have answered ${answered}, and disagreed with you ${plural(disagreed.length, 'time')}${disagreed.length === 0 ? '.' : ':'}`,
    ...disagreed
      .slice(0, MOST_SHOWN)
      .map((each) => `  ${each.id}  ${visible(each.headline)}: ${disagreementText(each)}`),
    ...(disagreed.length > MOST_SHOWN
      ? [`  and ${disagreed.length - MOST_SHOWN} more, which --json lists`]
      : []),
  ].join('\n')
}

const MOST_SHOWN = 20

function disagreementText({ picked, would, edited }: Disagreement): string {
  if (edited) return `you took ${picked} and changed what it means`
  return picked === '' ? `you said something else, not ${would}` : `you picked ${picked}, not ${would}`
}

interface Ratifying {
  readonly name: string
  readonly found: readonly Suggestion[]
  readonly file: PolicyFile
  readonly options: SuggestOptions
}

function ratify({ name, found, file, options }: Ratifying, { terminal, now }: PolicySetting): number {
  const suggestion = found.find(({ policy }) => policy.name === name)
  if (suggestion === undefined) {
    const names = found.map(({ policy }) => policy.name).join(', ')
    const known = names === '' ? 'Nothing is suggested.' : `Suggested are: ${names}.`
    return complain(terminal, `No policy "${name}" is suggested. ${known}`, EXIT.usage)
  }
  const before = file.exists ? readFileSync(file.file, 'utf8') : OPENING
  const comment = `Ratified on ${dayText(now)}. ${commentOf(suggestion)}`
  const text = appendItem(before, itemOf(suggestion.policy, comment))
  if (text === null || hasErrors(readPolicyText(text, file.file).diagnostics))
    return complain(terminal, `${file.file} is left as it is: add the policy to it by hand.`, EXIT.failed)
  try {
    writeWhole(file, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return complain(terminal, `The policies cannot be written: ${why}`, EXIT.failed)
  }
  const { policy } = suggestion
  if (options.json === true) terminal.write(JSON.stringify({ ratified: policy, file: file.file }, null, 2))
  else
    terminal.write(
      `${terminal.paint('green', '✓')} ${name} is in ${file.file}, in force until ${policy.until}. Remove it there to end it.`,
    )
  return EXIT.ok
}

const OPENING = `# Answers that Signalbox gives without asking you. The first that fits a decision answers it. Never taken, whatever
# stands here: what cannot be undone, what sounds dangerous, what only a person may confirm, and stopping a run.
`

/** Whole or not at all; where the file is a link, what it leads to is written. */
function writeWhole({ file, exists }: PolicyFile, text: string): void {
  const target = exists ? realpathSync(file) : file
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const draft = `${target}.${process.pid}.new`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}
