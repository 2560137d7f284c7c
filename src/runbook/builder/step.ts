/** One step of each kind: the first of its kinds is meant, and what that kind does not use does not compile. */
import type { Fault } from '../../model/fault.ts'
import type { AnswerByOptions, AnswerOf, FindingsOf, OptionsOf, OutcomeOf } from './answer.ts'
import type { WrittenDeadline } from './deadline.ts'
import type { At, DeclaredNames, MapAt, OrSay } from './names.ts'
import type { FaultRoutesOf } from './route.ts'
import type { Duration, WrittenWork } from './work.ts'

export type StepOf<S, N extends DeclaredNames, H> = S extends { readonly agent: unknown }
  ? AgentStep<N, OutcomeOf<S>, FindingsOf<S>> &
      Faults<FaultRoutesOf<At<S, 'on'>, WorkFault, N>> &
      AnswerOf<S, N, H>
  : S extends { readonly panel: unknown }
    ? PanelStep<N, OutcomeOf<S>, FindingsOf<S>> &
        Faults<FaultRoutesOf<At<S, 'on'>, WorkFault, N>> &
        AnswerOf<S, N, H>
    : S extends { readonly check: unknown }
      ? CheckStep & Faults<FaultRoutesOf<At<S, 'on'>, CheckFault, N>> & AnswerOf<S, N, H, Exit>
      : S extends { readonly decide: unknown }
        ? DecideStep<N['template'], At<S, 'template'>> &
            Faults<FaultRoutesOf<At<S, 'on'>, 'expired', N>> &
            PersonsAnswerOf<S, N, H>
        : S extends { readonly flow: unknown }
          ? FlowStep<OptionsOf<MapAt<S, 'options'>, N>>
          : StepWithoutKind<N['agent']>

type WorkFault = Exclude<Fault, 'expired'>
type CheckFault = 'failed' | 'timed_out' | 'invalid'

interface Faults<Routes> {
  /** Routes of faults. What is not written here is routed by the flow, and else a person is asked. */
  readonly on?: Routes
}

interface EveryStep {
  /** What this step is for. */
  readonly say?: string
}

interface WorkedStep<N extends DeclaredNames, Outcome extends string, Findings>
  extends EveryStep,
    WrittenWork<N, Outcome> {
  /** What the agent is told: text, or the path of a `.md` or `.txt` file beside the runbook. */
  readonly prompt?: string
  /** The handoff this step must give. */
  readonly gives?: N['handoff']
  /** A `findings` field. A round that brings no news, or nothing material, ends the loop: `then` is taken. */
  readonly settle_on?: OrSay<Findings, 'This step has no field of type findings'>
}

interface AgentStep<N extends DeclaredNames, Outcome extends string, Findings>
  extends WorkedStep<N, Outcome, Findings> {
  /** The agent that works on it. */
  readonly agent: N['agent']
}

interface PanelStep<N extends DeclaredNames, Outcome extends string, Findings>
  extends WorkedStep<N, Outcome, Findings> {
  /** Several agents on one question. The worst blocking answer wins. */
  readonly panel: readonly (N['agent'] | Member<N['agent']>)[]
}

interface Member<Agent> {
  /** The agent. */
  readonly agent: Agent
  /** Recorded, and never blocks. */
  readonly advisory?: boolean
  /** What the agent is told: text, or the path of a `.md` or `.txt` file beside the runbook. */
  readonly prompt?: string
}

interface CheckStep extends EveryStep {
  /** A command; its exit code (or its JSON) answers. Run by `sh`; a `${…}` is always one quoted word. */
  readonly check: string
  /** How a check answers: by exit code (the default) or by the JSON it prints. */
  readonly answers?: 'exit' | 'json'
  /** What a check may change of the files, to be committed: formatters, generators. A check without it judges a clean checkout, and leaves nothing. */
  readonly writes?: readonly string[]
  /** `write`: the command finds the issues as they are now, and what it changes of them is committed on the branch `signalbox/issues`. Nothing else that it writes is kept. */
  readonly issues?: 'write'
  /** How long the command may take. */
  readonly time?: Duration
}

interface Exit {
  /** The exit codes of a check that mean this answer. */
  readonly exit?: number | readonly number[] | 'other'
}

interface DecideStep<Template, Given> extends EveryStep {
  /** The question to a person. */
  readonly decide: Given extends string ? string | true : string
  /** What the person is shown: the output of a command, or named items. */
  readonly context?: string | Readonly<Record<string, string | { readonly run: string }>>
  /** The decision kind: its hint, required context and options. */
  readonly template?: Template
  /** When to remind, whom to ask instead, and when to give up waiting. */
  readonly deadline?: WrittenDeadline
}

/** A decision takes its options from its template where it has none of its own. */
type PersonsAnswerOf<S, N extends DeclaredNames, H> = S extends
  | { readonly ask: unknown }
  | { readonly when: unknown }
  | { readonly options: unknown }
  | { readonly next: object }
  ? AnswerOf<S, N, H>
  : S extends { readonly template: unknown }
    ? AnswerByTemplate<N['target']>
    : AnswerByOptions<Readonly<Record<string, string>>, N, unknown>

interface AnswerByTemplate<Target> {
  /** Where the option leads that the template recommends. */
  readonly next?: Target
}

interface FlowStep<Options> extends EveryStep {
  /** Another runbook, by its path. Its ends are the options of this step. */
  readonly flow: string
  /** The answers, best first, each with where it leads. */
  readonly options: Options
  /** The variables given to the flow. */
  readonly with?: Readonly<Record<string, string | number | boolean>>
}

interface StepWithoutKind<Agent> {
  readonly 'A step has exactly one of agent, panel, check, decide and flow': never
  readonly agent?: Agent
  readonly panel?: readonly Agent[]
  readonly check?: string
  readonly decide?: string | true
  readonly flow?: string
}
