/** The states of a rehearsal in the order they were met: where each stands, and how it was first reached. */
import type { RunState } from '../engine/state.ts'
import type { Act } from './act.ts'
import type { Fingerprint } from './fingerprint.ts'
import { createNumbers } from './grown-numbers.ts'
import { createStateStore } from './state-store.ts'

export interface Reached {
  readonly state: number
  readonly act: Act
}

export interface StateLog {
  readonly length: number
  /** The number of a state, met now or before. */
  meet(state: RunState, now: number, from: Reached | null): number
  /** To go on from, once: what was lived is not needed when its moves are known. Null at an end. */
  lived(id: number): { readonly state: RunState; readonly now: number } | null
  /** Where the run stands: a step, or an end. */
  place(id: number): string
  isEnd(id: number): boolean
  from(id: number): Reached | null
}

export function createStateLog(fingerprint: Fingerprint): StateLog {
  const store = createStateStore(fingerprint.width)
  const lived = new Map<number, { state: RunState; now: number }>()
  const places = createNames()
  const acts = createActs()
  const placeOf = createNumbers()
  const fromState = createNumbers()
  const fromAct = createNumbers()

  return {
    get length() {
      return store.size
    },
    meet: (state, now, from) => {
      const next = store.size
      const id = store.idOf(fingerprint.of(state, now))
      if (id !== next) return id
      const isEnd = state.current === null
      // Ends and steps may share a name in different flows, so an end's is told apart by its sign.
      const place = places.numberOf(state.current?.step ?? state.end ?? '')
      placeOf.push(isEnd ? -1 - place : place)
      fromState.push(from?.state ?? -1)
      fromAct.push(from === null ? -1 : acts.numberOf(from.act))
      if (!isEnd) lived.set(id, { state, now })
      return id
    },
    lived: (id) => {
      const here = lived.get(id)
      lived.delete(id)
      return here ?? null
    },
    place: (id) => places.nameOf(placeOf.at(id) < 0 ? -1 - placeOf.at(id) : placeOf.at(id)),
    isEnd: (id) => placeOf.at(id) < 0,
    from: (id) =>
      fromState.at(id) < 0 ? null : { state: fromState.at(id), act: acts.actOf(fromAct.at(id)) },
  }
}

function createNames() {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    nameOf: (number: number): string => names[number]!,
    numberOf: (name: string): number => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, names.length)
      return names.push(name) - 1
    },
  }
}

/** A few hundred different acts lead to millions of states. */
function createActs() {
  const numbers = new Map<string, number>()
  const acts: Act[] = []
  return {
    actOf: (number: number): Act => acts[number]!,
    numberOf: (act: Act): number => {
      const key = keyOf(act)
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, acts.length)
      return acts.push(act) - 1
    },
  }
}

function keyOf(act: Act): string {
  switch (act.kind) {
    case 'answer':
      return `answer ${act.outcome} ${act.member} ${act.settled} ${act.later} ${act.proposed}`
    case 'fault':
      return `fault ${act.fault} ${act.member} ${act.together ?? ''}`
    case 'wrong':
      return `wrong ${act.handoff} ${act.member}`
    case 'gate':
      return `gate ${act.passes} ${act.member}`
    case 'person':
      return `person ${act.picks} ${act.stead}`
    case 'asks':
      return `asks ${act.member}`
    case 'context':
    case 'wait':
      return act.kind
  }
}
