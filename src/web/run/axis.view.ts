/**
 * A run on one axis of time: a lane for each step in the order it was first reached, on it the visits as bars, cut where somebody was sent back or a
 * person was asked, and dots for gates. Bars carry the reason of the turn they end in.
 */
import { evolve } from '../../engine/evolve.ts'
import { NEW_RUN, type RunState } from '../../engine/state.ts'
import type { RunEvent } from '../../model/event.ts'
import { isFault } from '../../model/fault.ts'
import type { Program } from '../../model/program.ts'
import type { StatusSign } from '../../model/status-sign.ts'

export interface AxisBar {
  readonly from: number
  /** Null: it goes on. */
  readonly to: number | null
  readonly sign: StatusSign
  readonly label: string
  readonly visit: number
  /** How many events there were when it was over: the moment to look at. */
  readonly version: number
}

export interface AxisDot {
  readonly at: number
  readonly sign: StatusSign
  readonly label: string
  readonly version: number
}

export interface Lane {
  readonly step: string
  readonly bars: readonly AxisBar[]
  readonly dots: readonly AxisDot[]
}

export interface TimedEvent {
  readonly version: number
  readonly event: RunEvent
}

interface OpenBar {
  readonly step: string
  readonly visit: number
  readonly from: number
  readonly sign: StatusSign
  readonly label: string
}

export function lanesOf(events: readonly TimedEvent[], program: Program | null): readonly Lane[] {
  const drawing = createDrawing()
  let state = NEW_RUN
  for (const { version, event } of events) {
    state = evolve(state, event)
    draw(drawing, { version, event, state, program })
  }
  return drawing.finish(events.at(-1)?.version ?? 0)
}

type BarEnd = Partial<Pick<AxisBar, 'label' | 'sign'>>

interface Drawing {
  readonly bar: () => OpenBar | null
  readonly begin: (bar: OpenBar) => void
  readonly cut: (at: number, version: number, end?: BarEnd) => void
  /** Cuts the bar, and goes on with another in the same visit. */
  readonly goOn: (at: number, version: number, next: Pick<OpenBar, 'label' | 'sign'>, end?: BarEnd) => void
  readonly leave: (at: number, version: number, end: BarEnd) => void
  readonly dot: (at: number, version: number, sign: StatusSign, label: string) => void
  readonly finish: (version: number) => readonly Lane[]
}

function createDrawing(): Drawing {
  const lanes = new Map<string, { bars: AxisBar[]; dots: AxisDot[] }>()
  let open: OpenBar | null = null
  const lane = (step: string) => {
    const known = lanes.get(step) ?? { bars: [], dots: [] }
    lanes.set(step, known)
    return known
  }
  const cut: Drawing['cut'] = (at, version, end = {}) => {
    if (open === null) return
    const { step, visit, from, sign, label } = open
    lane(step).bars.push({ from, to: at, sign, label, visit, version, ...end })
  }
  return {
    bar: () => open,
    begin: (bar) => {
      open = bar
      lane(bar.step)
    },
    cut,
    goOn: (at, version, next, end) => {
      if (open === null) return
      if (at > open.from) cut(at, version, end)
      open = { ...open, ...next, from: at }
    },
    leave: (at, version, end) => {
      if (open === null) return
      // What a person just answered has its bar already.
      if (open.from < at) cut(at, version, end)
      else relabel(lane(open.step).bars, end)
      open = null
    },
    dot: (at, version, sign, label) => {
      if (open !== null) lane(open.step).dots.push({ at, sign, label, version })
    },
    finish: (version) => {
      if (open !== null) {
        const { step, visit, from, sign, label } = open
        lane(step).bars.push({ from, to: null, sign, label, visit, version })
      }
      return [...lanes].map(([step, { bars, dots }]) => ({ step, bars, dots }))
    },
  }
}

interface Told extends TimedEvent {
  /** With it. */
  readonly state: RunState
  readonly program: Program | null
}

function draw(drawing: Drawing, { version, event, state, program }: Told): void {
  const { at } = event
  const bar = drawing.bar()
  switch (event.type) {
    case 'visit.entered': {
      const { step, visit } = event
      drawing.begin({ step, visit, from: at, sign: 'working', label: visit === 1 ? step : `visit ${visit}` })
      return
    }
    case 'session.opened':
      if (bar?.label === bar?.step && bar !== null) drawing.begin({ ...bar, label: event.agent })
      return
    case 'gate.failed':
    case 'answer.refused':
      drawing.goOn(at, version, { sign: 'working', label: 'sent back' })
      drawing.dot(at, version, 'fault', event.type === 'gate.failed' ? 'gate failed' : 'answer refused')
      return
    case 'gate.passed':
      drawing.dot(at, version, 'done', 'gate passed')
      return
    case 'attempt.parked':
      drawing.goOn(at, version, { sign: 'asleep', label: 'parked' })
      return
    case 'attempt.woken':
      drawing.goOn(at, version, { sign: 'working', label: 'goes on' })
      return
    case 'question.opened': {
      if (bar === null || bar.sign === 'waiting') return
      const asks = event.fault === null ? 'a person is asked' : `${event.fault}: a person is asked`
      drawing.goOn(at, version, { sign: 'waiting', label: event.decision?.headline ?? asks })
      return
    }
    case 'question.answered':
      if (bar?.sign !== 'waiting') return
      drawing.goOn(
        at,
        version,
        { sign: 'working', label: 'goes on' },
        event.pick === '' ? {} : { label: event.pick },
      )
      return
    case 'question.closed':
      if (bar?.sign === 'waiting') drawing.goOn(at, version, { sign: 'working', label: 'goes on' })
      return
    case 'visit.left': {
      const { counted } = event.paid
      const used = counted === null ? 0 : (state.counters[counted] ?? 0)
      drawing.leave(at, version, endOf(event, used, program))
      return
    }
    case 'run.moved':
      drawing.leave(at, version, { label: `moved to ${event.to}`, sign: 'idle' })
      return
    case 'run.ended':
      drawing.leave(at, version, { sign: 'idle' })
      return
    default:
      return
  }
}

/** A bar without length is none; the one before it says how the visit ended. */
function relabel(bars: AxisBar[], end: BarEnd): void {
  const last = bars.at(-1)
  if (last === undefined) return
  bars[bars.length - 1] = {
    ...last,
    ...end,
    sign: last.sign === 'waiting' ? 'waiting' : (end.sign ?? last.sign),
  }
}

type Left = Extract<RunEvent, { readonly type: 'visit.left' }>

function endOf(event: Left, used: number, program: Program | null): Partial<Pick<AxisBar, 'label' | 'sign'>> {
  const { outcome, step, paid } = event
  const isLoop = paid.counted !== null || paid.spent !== null
  const outcomes = Object.keys(program?.steps[step]?.routes ?? {}).filter(
    (name) => !name.startsWith('@') && !isFault(name),
  )
  const sign: StatusSign = isFault(outcome) || isLoop ? 'fault' : outcomes.length > 1 ? 'done' : 'working'
  return { label: turnText(event, used, program), sign }
}

/** `reject, 2 of 3 used`: an outcome, and what the way it leads has cost. */
function turnText(
  { outcome, step, arm, paid, settled }: Left,
  used: number,
  program: Program | null,
): string {
  if (settled) return `${outcome}, settled`
  if (paid.spent !== null) return `${outcome}, spends ${paid.spent}`
  const bound = program?.steps[step]?.routes[outcome]?.arms[arm]?.bound ?? null
  return paid.counted !== null && bound?.kind === 'max'
    ? `${outcome}, ${used} of ${bound.times} used`
    : outcome
}
