/**
 * What people do with a host while it lives: watch its stream, start runs, answer questions. It may be killed under
 * any request; what got no reply may have happened or not, and is asked again of the next host.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { DoorFile } from '../../src/cli/hosting.ts'
import { createRemote } from '../../src/cli/remote.ts'
import type { QuestionCard } from '../../src/engine/index.ts'
import type { Action, Operations } from '../../src/host/operations.ts'
import type { Chance } from './chance.fixture.ts'
import { FLOWS, type Project } from './project.fixture.ts'
import { placeOf, type Witness } from './witness.fixture.ts'

export interface Traffic {
  /** Resolves at the next thing of that kind: an event's type, `asked` for a request on its way, `acknowledged`. */
  next(kind: string): Promise<void>
  /** Resolves when no run is open any more. */
  readonly quiet: Promise<void>
  end(): Promise<void>
}

export interface TrafficOptions {
  readonly door: DoorFile
  readonly project: Project
  readonly chance: Chance
  readonly witness: Witness
  /** So many runs are kept going; 0 lets them end. */
  readonly runs: number
}

export function openTraffic(options: TrafficOptions): Traffic {
  const { door, witness, chance, runs } = options
  const operations = createRemote(door)
  const waiting = new Map<string, () => void>()
  const happen = (kind: string): void => {
    waiting.get(kind)?.()
    waiting.delete(kind)
  }
  let ended = false
  let becomeQuiet = (): void => {}
  const quiet = new Promise<void>((resolve) => {
    becomeQuiet = resolve
  })
  let position = 0
  const unfollow = operations.follow((event) => {
    if (event === null) return
    if (event.position <= position) witness.complaints.push(`the stream went back at ${placeOf(event)}`)
    position = event.position
    witness.seen.set(placeOf(event), event.hash)
    happen(event.type)
  })

  async function work(): Promise<void> {
    while (!ended) {
      const open = await operations.runs({ all: false, limit: 1000 })
      if (open.length === 0 && runs === 0) return becomeQuiet()
      const asked = await operations.questions()
      await Promise.all([
        ...Array.from({ length: Math.max(0, runs - open.length) }, () => start(operations, options, happen)),
        ...asked.map(({ run }) => answerAll(operations, run, { ...options, happen })),
        ...(runs > 0 && chance.happens(0.01) ? [cancel(operations, chance.pick(open)?.run, witness)] : []),
      ])
      await pause(chance.between(10, 120))
    }
  }
  const working = (async () => {
    while (!ended) await work().catch(() => pause(20))
  })()

  return {
    next: (kind) =>
      new Promise((resolve) => {
        waiting.set(kind, resolve)
      }),
    quiet,
    end: async () => {
      ended = true
      unfollow()
      await working
    },
  }
}

type Happen = (kind: string) => void

async function start(
  operations: Operations,
  { project, chance, witness }: TrafficOptions,
  happen: Happen,
): Promise<void> {
  const order = {
    runbook: project.runbook(chance.pick(FLOWS)),
    dir: project.repo,
    base: null,
    issue: null,
    vars: {},
  }
  const asked = operations.start(order)
  happen('asked')
  const started = await asked
  happen('acknowledged')
  if ('run' in started) witness.started.add(started.run)
  else witness.complaints.push(`a run was not started: ${started.problems.join(' ')}`)
}

async function cancel(operations: Operations, run: string | undefined, witness: Witness): Promise<void> {
  if (run === undefined) return
  witness.cancelled.add(run)
  await operations.act(run, { kind: 'cancel', reason: 'no longer wanted' })
}

async function answerAll(
  operations: Operations,
  run: string,
  { chance, witness, runs, happen }: TrafficOptions & { readonly happen: Happen },
): Promise<void> {
  const detail = await operations.show(run)
  if ('problem' in detail) return
  for (const card of detail.questions) {
    // People take their time; a kill should meet open questions too.
    if (chance.happens(0.6)) continue
    const { pick, ...given } = choose(card, chance, runs === 0)
    const action: Action = { kind: 'answer', question: card.id, note: '', ...given }
    const asked = operations.act(run, action)
    happen('asked')
    const done = await asked
    happen('acknowledged')
    if ('done' in done) witness.answered.set(`${run} ${card.id}`, pick)
    else if (!GONE.has(done.code)) witness.complaints.push(`${run} ${card.id}: ${done.code}: ${done.problem}`)
  }
}

/** Answered by the request that got no reply, or closed meanwhile. */
const GONE = new Set(['already-answered', 'unknown-question', 'not-running'])

type Chosen = Pick<Extract<Action, { kind: 'answer' }>, 'extra' | 'given'> & { readonly pick: string }

function choose(
  { cause, contract, choices, extras, decision }: QuestionCard,
  chance: Chance,
  /** The shortest way out. */
  homeward: boolean,
): Chosen {
  if (cause === 'agent') {
    const { key } = chance.pick(decision?.options ?? [])
    return { extra: null, given: { kind: 'value', value: key }, pick: key }
  }
  if (cause === 'fault') {
    const extra = extras.includes('@retry') ? '@retry' : '@stop'
    return { extra, given: { kind: 'nothing' }, pick: extra }
  }
  const short = homeward ? choices.find(({ option }) => option?.recommended) : undefined
  const { outcome } = short ?? chance.pick(choices)
  const [variable] = contract.variables
  const value = { [variable?.name ?? 'choice']: outcome, feedback: 'A word from a person.' }
  return { extra: null, given: { kind: 'value', value }, pick: outcome }
}
