/** What changed between what was shown and what is shown now, part by part. */
import type { Shown, ShownCommand } from './decision-record.ts'

export interface Change {
  /** `question`, `context.diff`, `option sqlite`. */
  readonly part: string
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

export function changesBetween(before: Shown, after: Shown): readonly Change[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  const names = [...new Set([...Object.keys(now), ...Object.keys(old)])]
  return names.flatMap((part) => {
    const [was, is] = [old[part] ?? '', now[part] ?? '']
    return was === is ? [] : [{ part, ...changedLines(linesOf(was), linesOf(is)) }]
  })
}

const partsOf = (shown: Shown): Readonly<Record<string, string>> => ({
  headline: shown.headline,
  question: shown.question,
  detail: shown.detail,
  ...Object.fromEntries(Object.entries(shown.context).map(([name, text]) => [`context ${name}`, text])),
  ...Object.fromEntries(
    shown.options.map(({ key, label, body, reversible, leadsTo, runs }) => [
      `option ${key}`,
      [label, body, reversible ? '' : 'cannot be undone', leadsTo, ...commandsIn(runs)]
        .filter((text) => text !== '')
        .join('\n'),
    ]),
  ),
  runs: commandsIn(shown.runs).join('\n'),
  recommended: shown.recommended ?? '',
})

const commandsIn = (runs: readonly ShownCommand[] = []): string[] =>
  runs.map(({ command, folder }) => (folder === '' ? command : `${command} (in ${folder})`))

const linesOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'))

/** Beyond this the lines are not matched one by one: nobody reads such a difference in a terminal. */
const MOST_PAIRS = 1_000_000

function changedLines(was: readonly string[], is: readonly string[]): Pick<Change, 'gone' | 'come'> {
  let start = 0
  while (start < was.length && start < is.length && was[start] === is[start]) start++
  let end = 0
  while (
    end < was.length - start &&
    end < is.length - start &&
    was[was.length - 1 - end] === is[is.length - 1 - end]
  )
    end++
  const gone = was.slice(start, was.length - end)
  const come = is.slice(start, is.length - end)
  return gone.length * come.length > MOST_PAIRS ? { gone, come } : withoutCommon(gone, come)
}

/** The longest common subsequence, taken out of both. */
function withoutCommon(was: readonly string[], is: readonly string[]): Pick<Change, 'gone' | 'come'> {
  const lengths = Array.from({ length: was.length + 1 }, () => new Uint32Array(is.length + 1))
  for (let i = was.length - 1; i >= 0; i--)
    for (let j = is.length - 1; j >= 0; j--)
      lengths[i]![j] =
        was[i] === is[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
  const [gone, come]: [string[], string[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < was.length || j < is.length)
    if (i < was.length && j < is.length && was[i] === is[j]) {
      i++
      j++
    } else if (j >= is.length || (i < was.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      gone.push(was[i++]!)
    else come.push(is[j++]!)
  return { gone, come }
}
