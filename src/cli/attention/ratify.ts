/** Adds a suggested policy to the user's own, with what speaks for it and what it would have got wrong as a comment beside it. */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Policy } from '../../attention/policy.ts'
import type { Disagreement, Suggestion } from '../../attention/suggestion.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import type { Rejection } from '../../model/refusal.ts'
import { appendItem } from '../../runbook/yaml/append.ts'
import { plural, visible } from '../terminal/terminal.ts'
import { type PolicyFile, readPolicyText } from './policy-file.ts'
import { dayText } from './suggestions.ts'

export interface Ratification {
  readonly name: string
  readonly found: readonly Suggestion[]
  readonly file: PolicyFile
  readonly now: number
}

export function ratifySuggested({ name, found, file, now }: Ratification): Policy | Rejection {
  const suggestion = found.find(({ policy }) => policy.name === name)
  if (suggestion === undefined) {
    const names = found.map(({ policy }) => policy.name).join(', ')
    const known = names === '' ? 'Nothing is suggested.' : `Suggested are: ${names}.`
    return {
      code: 'unknown',
      problem: `No policy "${name}" is suggested; one whose rule or back-test has changed has another name. ${known}`,
    }
  }
  const before = file.exists ? readFileSync(file.file, 'utf8') : OPENING
  const comment = `Ratified on ${dayText(now)}. ${commentOf(suggestion)}`
  const text = appendItem(before, itemOf(suggestion.policy, comment))
  if (text === null || hasErrors(readPolicyText(text, file.file).diagnostics))
    return { code: 'cannot-write', problem: `${file.file} is left as it is: add the policy to it by hand.` }
  try {
    writeWhole(file, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { code: 'cannot-write', problem: `The policies cannot be written: ${why}` }
  }
  return suggestion.policy
}

export function itemOf({ name, when, answer, until }: Policy, comment: string) {
  return { key: 'policies', item: { name, when, answer, until }, comment }
}

export function commentOf({ same, of, backTest: { answered, disagreed } }: Suggestion): string {
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
