/** What came of the cases, in numbers and in words. Pure. */
import type { TriggerCase } from './cases.ts'

export type Tried =
  | { readonly kind: 'asked'; readonly headline: string; readonly dictated: readonly string[] }
  | { readonly kind: 'quiet' }
  /** Neither asked nor finished. */
  | { readonly kind: 'broken'; readonly why: string }

export interface Result {
  readonly case: TriggerCase
  readonly tried: Tried
}

export type Verdict = 'caught' | 'missed' | 'over-asked' | 'rightly quiet' | 'broken'

export function verdictOf({ case: { ask }, tried }: Result): Verdict {
  if (tried.kind === 'broken') return 'broken'
  if (tried.kind === 'asked') return ask ? 'caught' : 'over-asked'
  return ask ? 'missed' : 'rightly quiet'
}

export const SCRIPTED_NOTICE =
  'The agent was scripted: it did what the script said. This proves the plumbing, from the tool call to the record, and nothing about any model’s judgement.'

export function reportText(
  results: readonly Result[],
  { agent, scripted }: { readonly agent: string; readonly scripted: boolean },
): string {
  const count = (verdict: Verdict): number => results.filter((each) => verdictOf(each) === verdict).length
  const deserving = results.filter((each) => each.case.ask).length
  const asked = results.flatMap(({ tried }) => (tried.kind === 'asked' ? [tried] : []))
  const dictated = asked.filter((each) => each.dictated.length > 0).length
  return [
    `trigger: ${results.length} cases, agent ${agent}`,
    ...results.map(line),
    '',
    `caught        ${count('caught')} of ${deserving} that deserve a decision`,
    `missed        ${count('missed')}`,
    `over-asked    ${count('over-asked')} of ${results.length - deserving} that do not`,
    `broken        ${count('broken')}`,
    `dictated      ${dictated} of ${asked.length} payloads had words of the prompt in them`,
    ...(scripted ? ['', SCRIPTED_NOTICE] : []),
  ].join('\n')
}

function line(result: Result): string {
  const { tried } = result
  const detail =
    tried.kind === 'asked'
      ? `${tried.headline}${tried.dictated.length === 0 ? '' : ` (dictated: ${tried.dictated.map((text) => JSON.stringify(text)).join(', ')})`}`
      : tried.kind === 'broken'
        ? tried.why
        : ''
  return `  ${result.case.id.padEnd(16)} ${verdictOf(result).padEnd(14)} ${detail}`.trimEnd()
}
