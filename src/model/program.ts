/**
 * The program: what a runbook compiles to, whichever syntax it was written in. Plain data, complete (every
 * default filled in, every name resolved), so that its digest names it and a run can carry its own copy.
 */
import type { Contract, Handoff, Option } from './contract.ts'
import type { Fault } from './fault.ts'
import type { Arm, Route } from './route.ts'
import type { Template } from './template.ts'
import type { WorkingHours } from './working-hours.ts'

export interface Program {
  readonly format: 1
  readonly name: string
  readonly say: string
  /** Nobody is expected to watch: check-ins are off, and a question without a deadline is worth a warning. */
  readonly unattended: boolean
  readonly vars: Readonly<Record<string, Var>>
  readonly limits: { readonly costUsd: number | null; readonly tokens: number | null }
  readonly budgets: Readonly<Record<string, number>>
  readonly agents: Readonly<Record<string, Agent>>
  readonly templates: Readonly<Record<string, DecisionTemplate>>
  readonly handoffs: Readonly<Record<string, Handoff>>
  readonly start: string
  /** Step → the counters that start again when a route that does not count them leads there. Left out where none does. */
  readonly restarts?: Readonly<Record<string, readonly string[]>>
  /** The first step that was written, where others make ready before it. */
  readonly entry?: string
  /** The files that its setup depends on, where it has one. */
  readonly setup?: { readonly needs: readonly string[] }
  /** In the order they stand. A step of an inlined flow is named `flow/step`. */
  readonly steps: Readonly<Record<string, Step>>
  readonly ends: Readonly<Record<string, End>>
}

export interface Var {
  readonly say: string
  readonly required: boolean
  readonly default: string | null
}

export interface End {
  readonly say: string
  readonly success: boolean
}

export const PRIME_SOURCES = ['startup', 'resume', 'compact', 'signal'] as const
export type PrimeSource = (typeof PRIME_SOURCES)[number]

export interface Agent {
  /** The user's name for a program: `default`, `claude`, `codex`… */
  readonly use: string
  /** The model it works with, by the name its program has for it. Left out: as that is set up. */
  readonly model?: string
  /** Who it is; the step's own prompt says what to do now. */
  readonly prompt: Template | null
  /** What it may write; null: anything in the worktree; empty: nothing. */
  readonly writes: readonly WriteGrant[] | null
  /** What of the network it may reach. Left out: as the user's configuration says; so also below. */
  readonly network?: Network
  /** Whether it may write to its repository beside the files. */
  readonly git?: 'read' | 'write'
  /** A command that is given its patch, and may call it out of bounds. */
  readonly judge?: Template
  readonly prime: Readonly<Partial<Record<PrimeSource, Template>>>
}

/** A glob, or text with look-ups that gives globs when a step begins. */
export type WriteGrant = string | Template
export type Network = 'off' | 'on' | readonly string[]

/** What a gate does before anybody has worked; `none`: it is not tried. */
export const GATE_EXPECTATIONS = ['pass', 'fail', 'either', 'none'] as const
export type GateExpectation = (typeof GATE_EXPECTATIONS)[number]

export interface Gate {
  readonly run: Template
  /** How often a failure sends the agent back before it counts as `failed`. */
  readonly max: number
  /** The outcomes it guards. */
  readonly guards: readonly string[]
  readonly timeLimitMs: number | null
  readonly expect: GateExpectation
}

export interface CheckIn {
  readonly template: string
  /** How often in a visit a "done" is held back because no question was raised. */
  readonly blocks: number
  /** A question raised this recently (or an earlier hold) counts as a check-in. */
  readonly coolDownMs: number
}

/** What happens when an agent says it is done. */
export type Signal = 'done' | 'escalate' | 'fail'

/** One agent put to a step's question. */
export interface Member {
  readonly agent: string
  readonly advisory: boolean
  readonly prompt: Template | null
  readonly signal: Signal
  readonly gate: Gate | null
  readonly checkIn: CheckIn | null
  /** How often a wrong or missing answer is told to it before it counts as `invalid`. */
  readonly nudges: number
  /** How many questions it may raise in a visit. */
  readonly questions: number
  /** What becomes of it when it works on in a turn in which it has asked a person. */
  readonly afterAsking: 'go_on' | 'stop'
  readonly timeLimitMs: number | null
  readonly stallMs: number | null
  /** Null: nobody looks whether it comes any further. */
  readonly stuck: StuckLimits | null
}

/** Beyond these an agent is told, once, that it comes no further; as much again is the fault `stalled`. */
export interface StuckLimits {
  /** How often it makes the same few tool calls in turn. */
  readonly calls: number
  /** How many turns in a row bring nothing new. */
  readonly turns: number
}

interface StepBase {
  readonly name: string
  readonly say: string
  readonly contract: Contract
  /** Outcome, fault or `@retry`/`@stop` → where it leads. Total. */
  readonly routes: Readonly<Record<string, Route>>
  readonly faults: readonly Fault[]
  /** The findings field that tells when a loop has settled. */
  readonly settleOn: string | null
}

/** A step at which people are asked only by its agents, or because something went wrong. */
interface Asking {
  /** The flow's, where it has one. Nothing that went wrong expires: there is no way on without an answer. */
  readonly deadline?: Deadline
}

export interface AgentStep extends StepBase, Asking {
  readonly kind: 'agent' | 'panel'
  readonly members: readonly Member[]
}

export interface CheckStep extends StepBase, Asking {
  readonly kind: 'check'
  readonly run: Template
  /** `exit`: the exit code answers; `json`: the last JSON on standard output does. */
  readonly answers: 'exit' | 'json'
  /** Exit codes of each outcome; the one with `null` takes all other codes. */
  readonly exits: Readonly<Record<string, readonly number[] | null>>
  readonly timeLimitMs: number | null
  /** What it may write, and is then committed. Left out: it only judges, and leaves nothing. */
  readonly writes?: readonly string[]
  /** It changes issues, and no other files. Left out: it only reads them. */
  readonly issues?: 'write'
  /** It only makes ready: nobody is told of its success as of work before their own. */
  readonly prepares?: true
}

export interface ContextItem {
  readonly name: string
  readonly kind: 'command' | 'text'
  readonly source: Template
}

/** How long a question waits, and who is told of it meanwhile. */
export interface Deadline {
  /** When it is told of again, earliest first, counted from the question. */
  readonly remindMs: readonly number[]
  readonly expireMs: number | null
  /** Whom it lies with from a reminder on, by the reminder's index. Left out where it stays where it is. */
  readonly reroutes?: Readonly<Record<number, string>>
  /** Only this time counts. Left out where every hour does. */
  readonly hours?: WorkingHours
}

export interface DecideStep extends StepBase {
  readonly kind: 'decide'
  readonly prompt: Template
  readonly context: readonly ContextItem[]
  readonly template: string | null
  readonly deadline: Deadline
}

/** Another runbook, inlined: its steps are `name/…` and its ends are this step's outcomes. */
export interface FlowStep extends StepBase {
  readonly kind: 'flow'
  readonly runbook: string
  readonly entry: string
}

export type Step = AgentStep | CheckStep | DecideStep | FlowStep
export type StepKind = Step['kind']

export interface DecisionTemplate {
  readonly hint: string
  readonly requiredContext: readonly string[]
  readonly options: readonly Option[]
}

export const INTERVENTIONS = 'interventions'

export const stepOf = (program: Program, name: string): Step => {
  const step = program.steps[name]
  if (step === undefined) throw new Error(`no step "${name}" in ${program.name}`)
  return step
}

/** Whether money or tokens can run out. */
export const isLimited = ({ limits }: Pick<Program, 'limits'>): boolean =>
  limits.costUsd !== null || limits.tokens !== null

/** Whether something it writes could be out of bounds. */
export const isBounded = (program: Program, agent: string): boolean => {
  const { writes = null, judge } = program.agents[agent] ?? {}
  return writes !== null || judge !== undefined
}

export const prepares = (step: Step): boolean => step.kind === 'check' && step.prepares === true

/** The scope a step of an inlined flow belongs to: `a/b/` for `a/b/c`, empty at the top. */
export const scopeOf = (step: string): string => step.slice(0, step.lastIndexOf('/') + 1)

const NONE: readonly string[] = []

/**
 * The counters of loops that this arm enters anew: it leads to where they begin, and is no round of them. A step that
 * only begins again enters nothing.
 */
export function restartedBy({ restarts }: Program, from: string, { to, bound }: Arm): readonly string[] {
  if (restarts === undefined || to.kind !== 'step' || to.step === from) return NONE
  const here = restarts[to.step] ?? NONE
  return bound?.kind === 'max' && here.includes(bound.counter)
    ? here.filter((counter) => counter !== bound.counter)
    : here
}
