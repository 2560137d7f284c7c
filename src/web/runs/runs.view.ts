/** Which runs are shown: the filter as it stands in the address, what it leaves, and what there is to choose from. */
import type { RunRow } from '../../model/api/runs.ts'
import { type StatusSign, signOfRun } from '../../model/status-sign.ts'

export interface RunsFilter {
  readonly status?: StatusSign
  readonly flow?: string
  readonly repo?: string
  /** Words; all of them must be there. */
  readonly text?: string
}

/** In the order in which people care. */
export const RUN_SIGNS: readonly StatusSign[] = ['waiting', 'working', 'asleep', 'fault', 'done', 'idle']

export function parseRunsFilter(search: Record<string, unknown>): RunsFilter {
  const status = RUN_SIGNS.find((sign) => sign === search['status'])
  return {
    ...(status === undefined ? {} : { status }),
    ...wordOf('flow', search),
    ...wordOf('repo', search),
    ...wordOf('text', search),
  }
}

/** What looks like a number in an address comes as one. */
const wordOf = (key: 'flow' | 'repo' | 'text', search: Record<string, unknown>) => {
  const value = search[key]
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
  return text === '' ? {} : { [key]: text }
}

export const isFiltered = (filter: RunsFilter): boolean => Object.keys(filter).length > 0

export const shownRuns = (rows: readonly RunRow[], filter: RunsFilter): readonly RunRow[] =>
  rows.filter((row) => fits(row, filter))

function fits(row: RunRow, { status, flow, repo, text = '' }: RunsFilter): boolean {
  if (status !== undefined && signOfRun(row) !== status) return false
  if (flow !== undefined && row.name !== flow) return false
  if (repo !== undefined && row.repo !== repo) return false
  const words = wordsIn(row)
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}

const wordsIn = ({ run, name, step, end, repo, branch, issue }: RunRow): string =>
  [run, name, step, end, repo, branch, issue?.id, issue?.title].join('\n').toLowerCase()

export interface RunChoices {
  /** How many there are of each, whatever status is chosen. */
  readonly statuses: readonly { readonly sign: StatusSign; readonly count: number }[]
  readonly flows: readonly string[]
  readonly repos: readonly string[]
}

export function runChoices(rows: readonly RunRow[], { status, ...filter }: RunsFilter): RunChoices {
  const counts = new Map<StatusSign, number>()
  for (const row of shownRuns(rows, filter)) {
    const sign = signOfRun(row)
    counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return {
    statuses: RUN_SIGNS.flatMap((sign) => {
      const count = counts.get(sign) ?? 0
      return count === 0 && sign !== status ? [] : [{ sign, count }]
    }),
    flows: sorted(rows.map(({ name }) => name)),
    repos: sorted(rows.map(({ repo }) => repo)),
  }
}

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort()

/** The last part of a path says most. */
export const folderName = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) || path

/** Where it is, or how it ended. */
export function placeText({ step, visit, end, status }: RunRow): string {
  if (status === 'ended') return end ?? 'ended'
  if (step === null) return ''
  return (visit ?? 1) > 1 ? `${step}, visit ${visit}` : step
}

export const headlineOf = ({ issue, name }: RunRow): string => issue?.title ?? name

export function underRuns(rows: readonly RunRow[]): string {
  const waiting = rows.filter(({ waiting: questions }) => questions > 0).length
  const going = rows.filter(({ status }) => status !== 'ended').length
  const wait = waiting === 0 ? '' : `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`
  return `${going === 0 ? 'None goes on' : `${going} ${going === 1 ? 'goes' : 'go'} on`}${wait}.`
}
