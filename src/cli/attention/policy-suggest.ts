/**
 * `signalbox policy suggest`: policies that your own answers speak for, each with what it would have got wrong. What is
 * printed is YAML, ready to be pasted; only `--ratify` writes.
 */
import type { Suggestion } from '../../attention/suggestion.ts'
import type { Operations } from '../../host/operations.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { formatDuration } from '../../model/duration.ts'
import { appendItem } from '../../runbook/yaml/append.ts'
import { EXIT } from '../exit.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { complain } from '../terminal/complaint.ts'
import { visible } from '../terminal/terminal.ts'
import type { PolicySetting } from './policy.ts'
import { type PolicyFile, readPolicyFile } from './policy-file.ts'
import { commentOf, itemOf, ratifySuggested } from './ratify.ts'
import { type FoundSuggestions, readSuggestions } from './suggestions.ts'

export interface SuggestOptions {
  /** How far back answers count, in milliseconds. */
  readonly since: number
  readonly min: number
  /** Also what would have answered something otherwise than people did. */
  readonly disagreeing?: boolean
  readonly ratify?: string
  readonly json?: boolean
}

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
  const found = await readSuggestions(operations, { ...options, now, inForce: file.policies })
  const { suggested } = found
  if (options.ratify !== undefined)
    return ratify({ name: options.ratify, found: suggested, file, options }, setting)
  if (options.json === true) {
    terminal.write(JSON.stringify(suggested, null, 2))
    if (found.altered.length > 0) complain(terminal, withoutText(found.altered), EXIT.ok)
  } else terminal.write(dimmed(suggestText(found, { file: file.file, ...options }), setting))
  return EXIT.ok
}

interface Telling {
  readonly file: string
  readonly since: number
  readonly min: number
}

function suggestText(
  { suggested, withheld, altered }: FoundSuggestions,
  { file, since, min }: Telling,
): string {
  const left =
    withheld === 0
      ? ''
      : `\n# ${withheld} left out, which would have answered something otherwise than you did: --disagreeing shows them.`
  const about = `# Answers of the last ${formatDuration(since)} to questions that were alike, ${min} or more.${left}${alteredText(altered)}`
  if (suggested.length === 0) return `${about}\n# Nothing to suggest.`
  const yaml = suggested.reduce(
    (text, suggestion) => appendItem(text, itemOf(suggestion.policy, commentOf(suggestion))) ?? text,
    '',
  )
  const how = `# To take one: signalbox policy suggest --ratify NAME, or paste it into\n# ${visible(file)}`
  return `${about}\n${how}\n${yaml.trimEnd()}`
}

const alteredText = (ids: readonly string[]): string => (ids.length === 0 ? '' : `\n# ${withoutText(ids)}`)

const withoutText = (ids: readonly string[]): string =>
  `Without ${ids.join(', ')}, whose record was changed in the journal's store: signalbox doctor tells more.`

const dimmed = (text: string, { terminal: { paint } }: PolicySetting): string =>
  text.replaceAll(/^\s*#.*$/gm, (line) => paint('dim', line))

interface Ratifying {
  readonly name: string
  readonly found: readonly Suggestion[]
  readonly file: PolicyFile
  readonly options: SuggestOptions
}

function ratify({ name, found, file, options }: Ratifying, { terminal, now }: PolicySetting): number {
  const done = ratifySuggested({ name, found, file, now })
  if ('problem' in done)
    return complain(terminal, done.problem, done.code === 'unknown' ? EXIT.usage : EXIT.failed)
  if (options.json === true) terminal.write(JSON.stringify({ ratified: done, file: file.file }, null, 2))
  else
    terminal.write(
      `${terminal.paint('green', '✓')} ${name} is in ${file.file}, in force until ${done.until}. Remove it there to end it.`,
    )
  return EXIT.ok
}
