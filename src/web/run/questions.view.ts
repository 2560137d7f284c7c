/** The questions of a run as its events tell them, the latest first. */
import type { Actor } from '../../model/answer.ts'
import type { StatusSign } from '../../model/status-sign.ts'
import type { TimedEvent } from './axis.view.ts'

export interface AskedQuestion {
  readonly question: string
  readonly at: number
  readonly headline: string
  readonly sign: StatusSign
  readonly answer: { readonly pick: string; readonly note: string; readonly by: Actor } | null
  /** How far the answer has come, with the time since it was given. */
  readonly stages: readonly string[]
}

export function questionsAsked(events: readonly TimedEvent[]): readonly AskedQuestion[] {
  const asked = new Map<string, AskedQuestion>()
  let step = ''
  const change = (question: string, make: (known: AskedQuestion) => AskedQuestion): void => {
    const known = asked.get(question)
    if (known !== undefined) asked.set(question, make(known))
  }
  for (const { event } of events) {
    switch (event.type) {
      case 'visit.entered':
        step = event.step
        break
      case 'question.opened': {
        const { question, at, decision, fault, detail } = event
        const headline =
          decision?.headline ?? (fault === null ? `${step} asks` : `${step}: ${detail || fault}`)
        asked.set(question, { question, at, headline, sign: 'waiting', answer: null, stages: [] })
        break
      }
      case 'question.answered': {
        const { pick, note, by } = event
        const answer = { pick: pick === '' ? 'in words' : pick, note, by }
        change(event.question, (known) => ({ ...known, sign: 'done', answer, stages: ['answered'] }))
        break
      }
      case 'question.undone':
        change(event.question, (known) => ({ ...known, sign: 'waiting', answer: null, stages: [] }))
        break
      case 'question.closed':
        change(event.question, (known) => ({
          ...known,
          sign: 'idle',
          stages: [...known.stages, event.reason],
        }))
        break
      case 'decision.delivered':
        change(event.question, (known) => ({
          ...known,
          stages: [...known.stages, `delivered by ${event.via}`],
        }))
        break
      case 'decision.acknowledged':
        change(event.question, (known) => ({ ...known, stages: [...known.stages, 'acknowledged'] }))
        break
      case 'decision.acted':
        change(event.question, (known) => ({ ...known, stages: [...known.stages, `acted: ${event.did}`] }))
        break
      case 'decision.undelivered':
        change(event.question, (known) => ({
          ...known,
          sign: 'fault',
          stages: [...known.stages, event.detail],
        }))
        break
      default:
        break
    }
  }
  return [...asked.values()].reverse()
}
