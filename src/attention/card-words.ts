/**
 * What a card says beside its headline, each part by its name: the question, each option's label, its text, where it leads and
 * what it runs, and for a request for permission all of its input. A policy that was learnt holds all of them, so a card that
 * says anything else is a person's. What only informs (context and details) is held where it was always the same.
 */
import { PERMISSION_KIND } from '../model/decision.ts'
import type { DecisionRecord, DecisionRow, ShownCommand } from '../model/decision-record.ts'
import { patternFits, patternOf, written } from './pattern.ts'

export type CardWords = ReadonlyMap<string, string>

/** The parts that must be alike; those that say nothing are left out. A line of a list has fewer of them. */
export function cardWords(decision: DecisionRecord | DecisionRow): CardWords {
  const card = 'shown' in decision ? decision.shown : null
  const { options, runs } = 'shown' in decision ? decision.shown : decision
  const parts: (readonly [string, string])[] = [
    ['question', 'shown' in decision ? decision.shown.question : decision.ask],
    ...options.flatMap(({ key, label, leadsTo, runs: own }): [string, string][] => [
      [`label ${key}`, label],
      [`leads ${key}`, leadsTo],
      [`runs ${key}`, runsText(own)],
    ]),
    ['runs', runsText(runs)],
    ...(card?.options ?? []).map(({ key, body }) => [`text ${key}`, body] as const),
    ...(card === null || decision.kind !== PERMISSION_KIND
      ? []
      : [['input', JSON.stringify(card.context)] as const]),
  ]
  return new Map(parts.filter(([, text]) => text !== ''))
}

/** The parts that may differ, and are held where they did not. */
function informingWords({ kind, shown: { detail, context } }: DecisionRecord): CardWords {
  const named = kind === PERMISSION_KIND ? '' : JSON.stringify(context)
  return new Map([
    ['detail', detail],
    ['context', named === '{}' ? '' : named],
  ])
}

const runsText = (runs: readonly ShownCommand[] = []): string =>
  runs.length === 0 ? '' : JSON.stringify(runs.map(({ command, folder, held }) => [command, folder, held]))

/** A longer one is nothing that a person would read in a policy. */
const LONGEST_PATTERN = 1000

/** `question: Update {quoted a-z- 12}?`, and so on; null where they are not alike. */
export function learntWords(decisions: readonly (DecisionRecord | DecisionRow)[]): string[] | null {
  const all = decisions.map(cardWords)
  const names = new Set(all.flatMap((words) => [...words.keys()]))
  const says: string[] = []
  for (const name of names) {
    const texts = all.map((words) => words.get(name) ?? '')
    const pattern = learnt(name, texts)
    if (pattern === null) return null
    says.push(`${name}: ${pattern}`)
  }
  const cards = decisions.filter((decision) => 'shown' in decision).map(informingWords)
  if (cards.length < decisions.length) return says
  for (const name of INFORMING) {
    const pattern = learnt(
      name,
      cards.map((words) => words.get(name)!),
    )
    if (pattern !== null) says.push(`${name}: ${pattern}`)
  }
  return says
}

const INFORMING = ['detail', 'context'] as const

/** What is run is run word for word. */
function learnt(name: string, texts: readonly string[]): string | null {
  const [first = ''] = texts
  const pattern = !isCommand(name)
    ? patternOf(texts)
    : texts.every((text) => text === first)
      ? written(first)
      : null
  return pattern === null || pattern.length > LONGEST_PATTERN ? null : pattern
}

const isCommand = (name: string): boolean => /^(?:runs\b|input$)/.test(name)

/** Whether a card says this, and nothing else where that matters. */
export function saysOnly(decision: DecisionRecord | DecisionRow, says: readonly string[]): boolean {
  const isCard = 'shown' in decision
  const patterns = new Map(says.map(partOf))
  const words = cardWords(decision)
  if (![...words].every(([name, text]) => fits(patterns.get(name), text))) return false
  const informing = isCard ? informingWords(decision) : null
  return [...patterns].every(([name, pattern]) => {
    if (words.has(name)) return true
    if (informing?.has(name) === true) return fits(pattern, informing.get(name)!)
    // A line lacks what only its card says.
    return isCard ? fits(pattern, '') : !/^(?:question$|label |leads |runs\b)/.test(name)
  })
}

const fits = (pattern: string | undefined, text: string): boolean =>
  pattern !== undefined && patternFits(pattern, text)

function partOf(said: string): readonly [string, string] {
  const at = said.indexOf(': ')
  return at < 0 ? [said.replace(/:$/, ''), ''] : [said.slice(0, at), said.slice(at + 2)]
}
