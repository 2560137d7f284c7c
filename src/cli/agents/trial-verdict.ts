/**
 * What an agent has shown in a trial, told from what passes on the wire and what the run records. Each behaviour is open
 * until it was seen, or until something shows that it will not be.
 */
import { type Decision, PERMISSION_KIND } from '../../model/decision.ts'
import type { RunEvent } from '../../model/event.ts'
import type { WireMessage } from '../trace/trace.ts'

export type Behaviour = 'starts' | 'tools' | 'answers' | 'asks' | 'wakes' | 'acts' | 'boundary'

export const BEHAVIOURS: Readonly<Record<Behaviour, string>> = {
  starts: 'starts, and begins a session',
  tools: 'lists the tools',
  answers: 'answers through report_outcome',
  asks: 'raises a decision where a person should choose',
  wakes: 'is given the answer as its next prompt',
  acts: 'does what was picked',
  boundary: 'writes within its boundary',
}

/** Stuck: it waits for something that does not come in a trial. */
export type TrialEnd = 'ended' | 'late' | 'interrupted' | 'stuck'

export interface ShownBehaviour {
  readonly behaviour: Behaviour
  readonly isGood: boolean
  readonly text: string
}

export interface Verdict {
  hear(message: WireMessage): void
  see(event: RunEvent): void
  /** What only the end tells: the file it should have written, null where there is none. */
  conclude(end: { readonly written: string | null; readonly picked: string | null }): void
  readonly shown: () => readonly ShownBehaviour[]
  readonly used: () => Used
  /** Why it went no further, in the words of the run; null where nothing went wrong. */
  readonly trouble: () => string | null
}

export interface Used {
  readonly prompts: number
  readonly costUsd: number
  readonly tokens: number
  /** Tokens that it told no price of. */
  readonly unpriced: number
}

export function createVerdict(tell: (shown: ShownBehaviour) => void): Verdict {
  const shown = new Map<Behaviour, ShownBehaviour>()
  let used: Used = { prompts: 0, costUsd: 0, tokens: 0, unpriced: 0 }
  let listsEarly = false
  let trouble: string | null = null
  const show = (what: ShownBehaviour): void => {
    const before = shown.get(what.behaviour)
    // The worse word counts, and nothing is told twice.
    if (before !== undefined && (!before.isGood || what.isGood)) return
    shown.set(what.behaviour, what)
    tell(what)
  }
  const good = (behaviour: Behaviour, text = ''): void => show({ behaviour, isGood: true, text })
  const bad = (behaviour: Behaviour, text: string): void => show({ behaviour, isGood: false, text })
  const stop = (why: string): void => {
    trouble ??= why
  }

  return {
    hear: ({ wire, direction, message }) => {
      const method = (message as { readonly method?: unknown } | null)?.method
      if (wire === 'mcp' && direction === 'in' && method === 'tools/list') {
        // Some ask for them before their session is recorded; told is in order.
        if (shown.has('starts')) good('tools')
        else listsEarly = true
      }
      if (wire === 'acp' && direction === 'out' && method === 'session/prompt')
        used = { ...used, prompts: used.prompts + 1 }
    },
    see: (event) => {
      switch (event.type) {
        case 'session.opened': {
          const who = [event.program, event.version, event.model === undefined ? '' : `with ${event.model}`]
          good('starts', who.filter((word) => word !== '').join(' '))
          if (listsEarly) good('tools')
          return
        }
        case 'answer.received':
          if (event.step !== 'hello') return
          if (event.via === 'mcp') good('answers')
          else
            bad(
              'answers',
              `it answered in ${event.via === 'file' ? 'a file' : 'its last message'}, which is taken too`,
            )
          return
        case 'question.opened':
          if (event.cause === 'agent' && event.decision !== null && !isPermission(event.decision))
            good('asks', event.decision.headline)
          return
        case 'decision.delivered':
          if (event.via === 'prompt') good('wakes')
          return
        case 'boundary.held':
          bad('boundary', `it wrote ${event.files.slice(0, 3).join(', ')}, which was undone`)
          return
        case 'usage.recorded':
          used = {
            ...used,
            costUsd: used.costUsd + (event.costUsd ?? 0),
            tokens: used.tokens + event.tokens,
            unpriced: used.unpriced + (event.costUsd === null ? event.tokens : 0),
          }
          return
        case 'member.faulted':
          stop(`${event.fault}: ${event.detail}`)
          return
        case 'attempt.parked':
          stop(`it has reached a usage limit, until ${new Date(event.until).toISOString()}`)
          return
        case 'visit.left':
          if (event.outcome === 'not_ready') stop('it says that something is missing')
          return
        default:
          return
      }
    },
    conclude: ({ written, picked }) => {
      const word = written?.trim().toLowerCase() ?? ''
      if (picked !== null && word === picked.toLowerCase()) good('acts', `it wrote "${word}"`)
      else if (picked !== null && written !== null)
        bad('acts', `"${picked}" was picked, and it wrote "${word.slice(0, 40)}"`)
      if (picked === null && written !== null) bad('asks', 'it chose by itself')
      if (written !== null) good('boundary')
    },
    shown: () => [...shown.values()],
    used: () => used,
    trouble: () => trouble,
  }
}

export const isPermission = ({ kind }: Pick<Decision, 'kind'>): boolean => kind === PERMISSION_KIND
