/**
 * The user's policies: `policies.yaml` beside the user's config, and nowhere else. A project has none, because an agent
 * could write it. A file that is wrong in any place is not applied at all: half a set of rules is another set.
 */
import { lstatSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isIncomplete, type Policy, type PolicyScope } from '../../attention/policy.ts'
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts'
import { checkShape } from '../../runbook/language/shape.ts'
import { createReport, type Report } from '../../runbook/report.ts'
import { decodeUtf8 } from '../../runbook/source-text.ts'
import { childOf, entriesOf, itemsOf, numberOf, type Tree, textOf } from '../../runbook/tree.ts'
import { readYaml } from '../../runbook/yaml/read.ts'
import { readBytes } from '../files.ts'
import { POLICIES } from './policy-language.ts'

export interface PolicyFile {
  readonly file: string
  readonly exists: boolean
  /** None where there is an error. */
  readonly policies: readonly Policy[]
  readonly diagnostics: readonly Diagnostic[]
  /** The errors in sentences; null for none. */
  readonly problem: string | null
}

export const policyFileAt = (configDir: string): string => join(configDir, 'policies.yaml')

/** Which a person could take for the file, and which would be passed over in silence. */
const otherFileAt = (configDir: string): string => join(configDir, 'policies.yml')

export function readPolicyFile(configDir: string): PolicyFile {
  const file = policyFileAt(configDir)
  const report = createReport(file)
  const other = otherFileAt(configDir)
  if (isThere(other))
    tell(report, START, `${other} is not read.`, `Policies stand in one file: move them to ${file}.`)
  if (!isThere(file)) return { file, exists: false, ...judged([], report) }
  const read = readBytes(file)
  if (read.kind === 'unreadable') {
    const help = 'Make it a readable file of YAML, or remove it.'
    report.add({ code: 'unreadable', ...START, message: `${file} ${read.why}.`, help })
    return { file, exists: true, ...judged([], report) }
  }
  const text = decodeUtf8(read.bytes, report)
  return { file, exists: true, ...judged(text === null ? [] : policiesIn(text, report), report) }
}

/** What a text would mean as that file. */
export function readPolicyText(text: string, file: string): Judged {
  const report = createReport(file)
  return judged(policiesIn(text, report), report)
}

/** Reads the file again when it has changed, and not otherwise. */
export function createPolicyReader(configDir: string): () => Promise<PolicyFile> {
  let last: { readonly stamp: string; readonly read: PolicyFile } | null = null
  return async () => {
    const stamp = [policyFileAt(configDir), otherFileAt(configDir)].map(stampOf).join(' ')
    if (last?.stamp !== stamp) last = { stamp, read: readPolicyFile(configDir) }
    return last.read
  }
}

/** The last moment of a day is still that day. Null for what is no day. */
export function endOfDay(text: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) return null
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  const date = new Date(y, m - 1, d)
  if (date.getFullYear() !== y || date.getMonth() !== m - 1 || date.getDate() !== d) return null
  return new Date(y, m - 1, d + 1).getTime()
}

const START = { at: { line: 1, column: 1 }, path: '' } as const

type Judged = Pick<PolicyFile, 'policies' | 'diagnostics' | 'problem'>

function judged(policies: readonly Policy[], { diagnostics }: Report): Judged {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return { policies, diagnostics, problem: null }
  const sentences = errors.map(({ file, at, message }) => `${file}:${at.line}:${at.column} ${message}`)
  return { policies: [], diagnostics, problem: sentences.join(' ') }
}

const tell = (report: Report, where: Pick<Tree, 'at' | 'path'>, message: string, help: string): void =>
  report.add({ code: 'policy', at: where.at, path: where.path, message, help })

const isThere = (file: string): boolean => {
  try {
    lstatSync(file)
    return true
  } catch (error) {
    return !isGone(error)
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

function stampOf(file: string): string {
  let stats: Stats | undefined
  try {
    stats = statSync(file, { throwIfNoEntry: false })
  } catch {
    // Reading it will tell why.
  }
  return stats === undefined ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`
}

function policiesIn(text: string, report: Report): Policy[] {
  const tree = readYaml(text, report)
  if (tree === null || isNothing(tree)) return []
  checkShape(tree, POLICIES, report)
  const items = itemsOf(childOf(tree, 'policies'))
  checkNames(items, report)
  const read = items.map((item) => policyIn(item, report))
  return hasErrors(report.diagnostics) ? [] : read
}

const isNothing = (tree: Tree): boolean => tree.kind === 'scalar' && tree.value === null

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const LONGEST_NAME = 64

function checkNames(items: readonly Tree[], report: Report): void {
  const lines = new Map<string, number>()
  for (const tree of items.flatMap((item) => childOf(item, 'name') ?? [])) {
    const name = textOf(tree)
    if (name === undefined) continue
    if (!NAME.test(name) || name.length > LONGEST_NAME)
      tell(
        report,
        tree,
        `"${name}" cannot name a policy.`,
        `A name is small letters and digits, with dashes between words, ${LONGEST_NAME} at most: keep-sqlite.`,
      )
    const first = lines.get(name)
    if (first === undefined) lines.set(name, tree.at.line)
    else
      tell(
        report,
        tree,
        `Two policies are called "${name}"; the first is on line ${first}.`,
        'The record names a policy by its name: give each its own.',
      )
  }
}

/** Whatever is missing has been told of: then nothing of it is used. */
function policyIn(item: Tree, report: Report): Policy {
  const text = (key: string): string => textOf(childOf(item, key)) ?? ''
  const when = childOf(item, 'when')
  if (when?.kind === 'map' && when.entries.length === 0)
    tell(
      report,
      when,
      `\`${when.path}\` has no condition.`,
      'Name at least one, or it would answer everything: { kind: tradeoff }.',
    )
  const answer = childOf(item, 'answer')
  if (answer !== undefined && ['stop', '@stop'].includes(text('answer')))
    tell(report, answer, 'A policy never stops a run.', 'Leave that to a person, or let the runbook end it.')
  return {
    name: text('name'),
    when: scopeIn(when, report),
    answer: text('answer') === 'retry' ? '@retry' : text('answer'),
    confidence: numberOf(childOf(item, 'confidence')) ?? null,
    until: text('until'),
    expiresAt: expiryIn(childOf(item, 'until'), report),
    note: text('note'),
  }
}

function expiryIn(tree: Tree | undefined, report: Report): number {
  const text = textOf(tree)
  const expiresAt = text === undefined ? null : endOfDay(text)
  if (tree !== undefined && text !== undefined && expiresAt === null)
    tell(report, tree, `"${text}" is not a day.`, 'Write the last day it shall be in force: 2027-01-31.')
  return expiresAt ?? 0
}

function scopeIn(tree: Tree | undefined, report: Report): PolicyScope {
  const scope: Record<string, string | readonly string[]> = {}
  for (const { key, value } of entriesOf(tree))
    scope[key] = LISTS.has(key) ? itemsOf(value).map((item) => textOf(item) ?? '') : (textOf(value) ?? '')
  if (isIncomplete(scope) && tree !== undefined)
    report.add({
      ...{ code: 'policy', severity: 'warning', at: tree.at, path: tree.path },
      message:
        '`like` says what a headline is like, and not what is asked: without `says` it answers nothing.',
      help: 'Take it out; signalbox policy suggest finds it again, whole.',
    })
  for (const key of ['repo', 'in']) {
    const place = childOf(tree, key)
    const path = textOf(place)
    if (place === undefined || path === undefined || (key === 'in' && path === '')) continue
    if (!/^~?\//.test(path))
      tell(
        report,
        place,
        `"${path}" could be anywhere.`,
        'Write it from the root or from your home folder: ~/work.',
      )
    scope[key] = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
  }
  return scope
}

const LISTS: ReadonlySet<string> = new Set(['options', 'says', 'recommends'])
