/** What a run left for whoever works on the same issue next, from its events: why it ended, what was said, what it changed. */
import type { RunHistory } from '../../model/api/history.ts'
import { firstCharacters } from '../../model/characters.ts'
import { DONE } from '../../model/contract.ts'
import type { EventOf, RunEvent } from '../../model/event.ts'
import { authorText } from '../../model/fence.ts'
import { valueText } from './lookup.ts'

export type LeftByRun = Pick<RunHistory, 'why' | 'said' | 'landed' | 'changed' | 'comments'>

const MOST_SAID = 5
const LONGEST = 4000

export function leftByRun(events: readonly RunEvent[]): LeftByRun {
  const of = <T extends RunEvent['type']>(type: T): EventOf<T>[] =>
    events.filter((event): event is EventOf<T> => event.type === type)
  const left = of('visit.left')
  const said = left.filter(isTelling).flatMap(saidAt).slice(-MOST_SAID)
  const landed = of('run.landed').at(-1)
  const changes = of('issues.changed')
  return {
    why: whyItEnded(of('run.ended').at(-1), left.at(-1)),
    said,
    landed: landed === undefined ? null : { into: landed.into, commit: landed.commit },
    changed: changes.map(({ step, visit, issues, commit }) => ({ step, visit, issues, commit })),
    comments: changes.flatMap(({ comments = [] }) => comments),
  }
}

/** What a command printed while all went well tells nobody anything. */
const isTelling = ({ by, outcome }: EventOf<'visit.left'>): boolean =>
  by.kind !== 'signalbox' || (outcome !== DONE && outcome !== 'pass')

function whyItEnded(
  ended: EventOf<'run.ended'> | undefined,
  last: EventOf<'visit.left'> | undefined,
): string {
  if (ended !== undefined && ended.reason !== '') return `${authorText(ended.by)}: ${ended.reason}`
  if (last === undefined) return ''
  const [said] = saidAt(last)
  return `${last.step} ended as ${last.outcome}${said === undefined ? '' : `: ${said.text}`}`
}

function saidAt({ step, visit, outcome, by, answer, detail }: EventOf<'visit.left'>): RunHistory['said'] {
  const given = { ...answer?.fields, ...answer?.handoff?.values }
  const texts = [
    ...Object.entries(given).map(([name, value]) => `${name}: ${valueText(value)}`),
    answer?.notes ?? '',
    detail,
  ].filter((text) => text.trim() !== '')
  if (texts.length === 0) return []
  return [{ step, visit, outcome, by: authorText(by), text: firstCharacters(texts.join('\n'), LONGEST) }]
}
