/**
 * Tasks that become sub-issues: a JSON list, as whoever split the work wrote it. Each makes an issue whose text stands alone,
 * for it is worked on by somebody who has seen neither the plan nor its neighbours.
 */
import { asSection, oneLine } from './inert.ts'
import type { Issue } from './issue.ts'
import type { NewIssue } from './issue-text.ts'
import { circleFrom } from './order.ts'

export interface SplitTask {
  readonly title: string
  readonly description: string
  readonly criteria: readonly string[]
  /** The rest of its text, under headings. */
  readonly sections: readonly { readonly heading: string; readonly text: string }[]
  /** Places in the list, the first being 1. */
  readonly dependsOn: readonly number[]
}

const MOST_TASKS = 50
const MOST_ITEMS = 100
const LONGEST_TEXT = 64 * 1024
const LONGEST_TITLE = 300

/** Keys are compared by their letters alone: `code_context`, `codeContext` and `code-context` are one. */
const SECTIONS: readonly { readonly heading: string; readonly keys: readonly string[] }[] = [
  { heading: 'Files', keys: ['files'] },
  { heading: 'Code context', keys: ['context', 'codecontext'] },
  { heading: 'Integration contracts', keys: ['contracts', 'integrationcontracts'] },
  { heading: 'Plan', keys: ['plan', 'planslice'] },
  { heading: 'Test design', keys: ['tests', 'testdesign'] },
]
const CRITERIA_KEYS = ['criteria', 'acceptancecriteria']
const DEPENDENCY_KEYS = ['dependson']
const KNOWN = new Set([
  ...['title', 'description'],
  ...CRITERIA_KEYS,
  ...DEPENDENCY_KEYS,
  ...SECTIONS.flatMap(({ keys }) => keys),
])

export interface SplitProblems {
  readonly problems: readonly string[]
}

/** All that is wrong is told at once, each with its place. */
export function parseSplit(text: string): { readonly tasks: readonly SplitTask[] } | SplitProblems {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    return { problems: [`It is not JSON: ${(error as Error).message}.`] }
  }
  if (!Array.isArray(value) || value.length === 0)
    return { problems: ['It must be a list of tasks, with at least one.'] }
  if (value.length > MOST_TASKS)
    return { problems: [`It has ${value.length} tasks; at most ${MOST_TASKS} are filed at once.`] }
  const problems: string[] = []
  const tasks = value.map((item: unknown, at) => taskOf(item, { at, count: value.length, problems }))
  if (problems.length === 0) problems.push(...amongThem(tasks))
  return problems.length > 0 ? { problems } : { tasks }
}

/** What is filed, by the place in the list; `ids` are those that the tasks get. */
export const splitDrafts = (
  tasks: readonly SplitTask[],
  {
    ids,
    parent,
    branch,
    labels,
  }: {
    readonly ids: readonly string[]
    readonly parent: Issue
    readonly branch: string | null
    readonly labels: readonly string[]
  },
): NewIssue[] =>
  tasks.map((task) => ({
    title: task.title,
    body: bodyOf(task, originOf(parent, branch)),
    parent: parent.id,
    labels,
    dependsOn: task.dependsOn.map((place) => ids[place - 1] ?? ''),
    category: '',
  }))

const bodyOf = ({ description, criteria, sections }: SplitTask, origin: string): string =>
  [
    asSection(description),
    `## Acceptance criteria\n\n${criteria.map((each) => `- [ ] ${oneLine(each)}`).join('\n')}`,
    ...sections.map(({ heading, text }) => `## ${heading}\n\n${asSection(text)}`),
    `## Where it comes from\n\n${origin}`,
  ].join('\n\n')

const originOf = ({ id, title }: Issue, branch: string | null): string =>
  `Split off from ${id} ("${asSection(oneLine(title))}")${branch === null ? '' : ` while it was worked on, on the branch ${oneLine(branch)}`}.`

interface TaskPlace {
  readonly at: number
  readonly count: number
  readonly problems: string[]
}

function taskOf(item: unknown, { at, count, problems }: TaskPlace): SplitTask {
  const wrong = (what: string): void => void problems.push(`Task ${at + 1}: ${what}`)
  const isMap = typeof item === 'object' && item !== null && !Array.isArray(item)
  if (!isMap) wrong('it must be an object with `title`, `description` and `criteria`.')
  const given = new Map(
    Object.entries(isMap ? (item as Record<string, unknown>) : {}).map(([key, value]) => [
      key.toLowerCase().replaceAll(/[^a-z]/g, ''),
      { key, value },
    ]),
  )
  for (const [letters, { key }] of given)
    if (!KNOWN.has(letters))
      wrong(`\`${oneLine(key).slice(0, 60)}\` means nothing here. Known are ${KNOWN_KEYS}.`)
  const find = (keys: readonly string[]) =>
    keys.map((key) => given.get(key)).find((found) => found !== undefined)
  const needed = (name: string): string => {
    const text = textOf(find([name])?.value)
    if (isMap && text === '') wrong(`\`${name}\` must be a text that says something.`)
    return text
  }
  const title = oneLine(needed('title'))
  if (title.length > LONGEST_TITLE) wrong(`\`title\` has at most ${LONGEST_TITLE} characters.`)
  const criteria = itemsOf(find(CRITERIA_KEYS)?.value)
  if (isMap && (criteria === null || criteria.length === 0))
    wrong('`criteria` must be a list of texts, with at least one.')
  const sections = SECTIONS.flatMap(({ heading, keys }) => {
    const found = find(keys)
    if (found === undefined || found.value === null) return []
    const items = itemsOf(found.value)
    const text =
      typeof found.value === 'string'
        ? found.value
        : (items ?? []).map((each) => `- ${oneLine(each)}`).join('\n')
    if (items === null && typeof found.value !== 'string')
      wrong(`\`${found.key}\` must be a text, or a list of texts.`)
    if (text.length > LONGEST_TEXT) wrong(`\`${found.key}\` has at most ${LONGEST_TEXT} characters.`)
    return text.trim() === '' ? [] : [{ heading, text }]
  })
  const dependsOn = placesOf(find(DEPENDENCY_KEYS)?.value ?? [])
  if (dependsOn === null || dependsOn.some((place) => place < 1 || place > count || place === at + 1))
    wrong(`\`depends_on\` must be a list of the places of other tasks: 1 to ${count}.`)
  const description = needed('description')
  if (description.length > LONGEST_TEXT) wrong(`\`description\` has at most ${LONGEST_TEXT} characters.`)
  return { title, description, criteria: criteria ?? [], sections, dependsOn: dependsOn ?? [] }
}

const KNOWN_KEYS = [
  'title',
  'description',
  'criteria',
  'files',
  'context',
  'contracts',
  'plan',
  'tests',
  'depends_on',
]
  .map((key) => `\`${key}\``)
  .join(', ')

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Null for what is no list of texts. */
function itemsOf(value: unknown): readonly string[] | null {
  const isList =
    Array.isArray(value) && value.length <= MOST_ITEMS && value.every((each) => textOf(each) !== '')
  return isList ? value.map((each) => textOf(each)) : null
}

/** As numbers, or as whoever calls them writes them: `2`, `"2"`, `"task-2"`. */
function placesOf(value: unknown): readonly number[] | null {
  if (!Array.isArray(value)) return null
  const places = value.map((each: unknown) =>
    typeof each === 'number'
      ? each
      : Number(/^(?:task[ -]?)?(\d{1,3})$/i.exec(textOf(each))?.[1] ?? Number.NaN),
  )
  return places.every((place) => Number.isInteger(place)) ? [...new Set(places)] : null
}

function amongThem(tasks: readonly SplitTask[]): string[] {
  const titles = tasks.map(({ title }) => title.toLowerCase())
  const twice = titles.flatMap((title, at) =>
    titles.indexOf(title) === at
      ? []
      : [`Task ${at + 1}: it has the title of task ${titles.indexOf(title) + 1}.`],
  )
  const next = (place: string): string[] => (tasks[Number(place) - 1]?.dependsOn ?? []).map(String)
  const circle = tasks.map((_, at) => circleFrom(String(at + 1), next)).find((each) => each !== null)
  return circle === undefined || circle === null
    ? twice
    : [...twice, `The tasks ${circle.join(' → ')} wait for each other.`]
}
