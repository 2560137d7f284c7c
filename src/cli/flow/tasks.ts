/** The tasks that a plan was split into: the first is this run's, the others become issues that must stand alone. */
import { parseSplit } from '../../tracker/split.ts'

export interface PlannedTask {
  readonly title: string
  readonly description: string
  /** What must be true when it is done, each to be seen by a test or a command. */
  readonly criteria: readonly string[]
  /** The files it is about. */
  readonly files: readonly string[]
  /** What somebody must know of the code who has not seen it. */
  readonly context: string
  /** What it gives to other tasks and takes from them. */
  readonly contracts: string
  /** The part of the plan that is about it. */
  readonly plan: string
  /** How it is to be tested. */
  readonly tests: string
  /** Tasks that come before it, by their place in the list, the first being 1. */
  readonly dependsOn: readonly number[]
}

const TEXTS = ['title', 'description', 'context', 'contracts', 'plan', 'tests'] as const
const LISTS = ['criteria', 'files'] as const

/** All that is wrong with them is told at once. */
export function parseTasks(
  text: string,
): { readonly tasks: readonly PlannedTask[] } | { readonly problems: readonly string[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problems: [`It is not JSON: ${(error as Error).message}`] }
  }
  if (!Array.isArray(value) || value.length === 0)
    return { problems: ['It must be a JSON list of tasks, with at least one.'] }
  const problems: string[] = []
  const tasks = value.map((item, index) => taskOf(item, { number: index + 1, problems }))
  const titles = tasks.map(({ title }) => titleKey(title))
  for (const [index, title] of titles.entries())
    if (titles.indexOf(title) !== index) problems.push(`Task ${index + 1} has the title of another one.`)
  if (problems.length > 0) return { problems }
  // What could not be filed is told while somebody can mend it.
  const filed = parseSplit(JSON.stringify(tasks))
  return 'problems' in filed ? filed : { tasks }
}

/** Titles that only differ in how they are written are the same. */
export const titleKey = (title: string): string => title.replaceAll(/\s+/g, ' ').trim().toLowerCase()

function taskOf(
  item: unknown,
  { number, problems }: { readonly number: number; readonly problems: string[] },
): PlannedTask {
  const given = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
  const text = (key: string): string => {
    const value = given[key]
    if (typeof value === 'string' && value.trim() !== '') return value
    problems.push(`Task ${number}: \`${key}\` must be a text that says something.`)
    return ''
  }
  const list = (key: string): string[] => {
    const value = given[key]
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((one) => typeof one === 'string' && one.trim() !== '')
    )
      return value as string[]
    problems.push(`Task ${number}: \`${key}\` must be a list of texts, with at least one.`)
    return []
  }
  const texts = Object.fromEntries(TEXTS.map((key) => [key, text(key)])) as Record<
    (typeof TEXTS)[number],
    string
  >
  const lists = Object.fromEntries(LISTS.map((key) => [key, list(key)])) as Record<
    (typeof LISTS)[number],
    string[]
  >
  return { ...texts, ...lists, dependsOn: dependenciesOf(given['depends_on'] ?? [], { number, problems }) }
}

function dependenciesOf(
  value: unknown,
  { number, problems }: { readonly number: number; readonly problems: string[] },
): number[] {
  const isEarlier = (one: unknown): boolean =>
    Number.isInteger(one) && (one as number) >= 1 && (one as number) < number
  if (Array.isArray(value) && value.every(isEarlier)) return value as number[]
  problems.push(`Task ${number}: \`depends_on\` must be a list of the numbers of tasks before it.`)
  return []
}

/**
 * All but the first, and but those that are filed already, as a list of their own. That one comes after the first task needs no
 * saying: this run does that, and its work is there before anybody takes up another.
 */
export function remainingTasks(
  tasks: readonly PlannedTask[],
  filed: ReadonlySet<string>,
): readonly PlannedTask[] {
  const kept = tasks
    .map((task, index) => ({ task, number: index + 1 }))
    .filter(({ task, number }) => number > 1 && !filed.has(titleKey(task.title)))
  const placeOf = new Map(kept.map(({ number }, index) => [number, index + 1]))
  return kept.map(({ task }) => ({
    ...task,
    dependsOn: task.dependsOn.flatMap((number) => placeOf.get(number) ?? []),
  }))
}
