/** Which criteria somebody means who names them by number or by text. */
import type { Issue } from './issue.ts'
import { type IssueRefusal, refuse } from './refusal.ts'

export function wantedCriteria(
  { id, criteria }: Issue,
  names: readonly string[],
): readonly number[] | IssueRefusal {
  const numbers: number[] = []
  for (const name of names) {
    if (name === 'all') {
      for (const { number } of criteria) numbers.push(number)
      continue
    }
    const found = /^\d+$/.test(name)
      ? criteria.filter(({ number }) => number === Number(name))
      : byText(criteria, name)
    const [first] = found
    if (first === undefined)
      return refuse(
        'criterion-not-found',
        `${id} has no criterion "${name.slice(0, 120)}". ${known(criteria)}`,
      )
    if (found.length > 1)
      return refuse(
        'criterion-not-found',
        `"${name.slice(0, 120)}" is in the criteria ${found.map(({ number }) => number).join(', ')} of ${id}. Say which, by its number.`,
      )
    numbers.push(first.number)
  }
  return numbers
}

/** The whole text, else a part of it. */
function byText(criteria: Issue['criteria'], name: string): Issue['criteria'] {
  const wanted = plain(name)
  if (wanted === '') return []
  const whole = criteria.filter(({ text }) => plain(text) === wanted)
  return whole.length > 0 ? whole : criteria.filter(({ text }) => plain(text).includes(wanted))
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

const known = (criteria: Issue['criteria']): string =>
  criteria.length === 0
    ? 'It has none: they are checkboxes under "## Acceptance criteria".'
    : `It has ${criteria.length === 1 ? 'one' : `1 to ${criteria.length}`}.`
