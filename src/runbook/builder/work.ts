/** What is said of an agent's work: by the step, or once for all of an agent's steps. */
import type { GateExpectation, PrimeSource } from '../../model/program.ts'
import type { DeclaredNames } from './names.ts'

type Unit<Text extends string> = Text | ''
type Amount<Letter extends string> = `${number}${Letter}`

/** `90s`, `30m`, `2h`, `1h30m`, `2d`. */
export type Duration = Exclude<
  `${Unit<Amount<'d'>>}${Unit<Amount<'h'>>}${Unit<Amount<'m'>>}${Unit<Amount<'s'>>}`,
  ''
>

export interface WrittenWork<N extends DeclaredNames, Outcome extends string> {
  /** A command run by us when the agent says it is done. A failure sends it back with the output. */
  readonly gate?: string | Gate<Outcome>
  /** What happens when the agent says it is done. */
  readonly on_signal?: 'done' | 'escalate' | 'fail' | Signal
  /** The agent must have offered a person a decision before it may say it is done. Off in unattended flows. */
  readonly check_in?: boolean | CheckIn<N['template']>
  /** How often a wrong or missing answer is told to the agent before it counts as `invalid`. 2 by default. */
  readonly nudges?: number
  /** How many questions the agent may put to a person in one visit. 2 by default. */
  readonly questions?: number
  /** What becomes of an agent that works on in the turn in which it has asked a person. `go_on`: it is recorded, the default; `stop`: it is ended until it is answered. */
  readonly after_asking?: 'go_on' | 'stop'
  /** Working time allowed in one visit; waiting for a person does not count. */
  readonly time?: Duration
  /** How long the agent may give no sign of life. */
  readonly stall?: Duration
  /** When the agent comes no further although it is at work. It is told once; as much again is the fault `stalled`. */
  readonly stuck?: boolean | Stuck
}

interface Gate<Outcome extends string> {
  /** The gate. Run by `sh`; a `${…}` is always one quoted word. */
  readonly run: string
  /** How often a failure sends the agent back before it counts as `failed`. 3 by default. */
  readonly max?: number
  /** Only these answers (options, or rows of a table) are gated. All by default. */
  readonly for?: readonly Outcome[]
  /** How long the command may take. */
  readonly time?: Duration
  /** What the gate does before anybody works. It is tried then, and where it does something else a person is asked, unless the flow says where `failed` leads: `pass`, `fail` (exit code 1 to 125), `either` (the default: it can run at all), or `none`: it is not tried. */
  readonly expect?: GateExpectation
}

type Signal =
  | { readonly action: 'done' | 'escalate' | 'fail' }
  | {
      readonly action: 'gate'
      readonly run: string
      readonly max?: number
      readonly expect?: GateExpectation
    }

interface Stuck {
  /** How often it may make the same tool call, or up to four of them in turn, with the same results, while no file changes. 12 by default. */
  readonly calls?: number
  /** How many turns in a row may change no file, give no other answer and make no new tool call. 3 by default. */
  readonly turns?: number
}

interface CheckIn<Template> {
  /** The decision kind to offer. `checkpoint` by default. */
  readonly template?: Template
  /** How often in a visit a "done" is held back. 1 by default. */
  readonly blocks?: number
  /** A question or a hold this recent counts as a check-in. 20m by default. */
  readonly cool_down?: Duration
}

/** The `for` of an agent's gate names options of whatever steps it works at, so any name may stand there. */
export interface WrittenAgent<N extends DeclaredNames> extends WrittenWork<N, string> {
  /** Which program plays it: a name from your own configuration. `default` when left out. */
  readonly use?: string
  /** The model it works with, by the name its program has for it. As its program is set up when left out. */
  readonly model?: string
  /** Who it is. The step says what to do now. */
  readonly prompt?: string
  /** What it may write. Nothing for `[]`; anything in the worktree when left out. */
  readonly writes?: string | readonly string[]
  /** What of the network it may reach, of what your own configuration allows. Held in a sandbox. */
  readonly network?: 'on' | 'off' | readonly string[]
  /** Whether it may write to its repository itself, beside the files in it. Held in a sandbox. */
  readonly git?: 'read' | 'write'
  /** A command for `sh` that is given the patch, and may call it out of bounds with its own words; a `${…}` is always one quoted word. It runs on the commit before; what it refuses is undone. */
  readonly judge?: string
  /** Commands whose output is given to the agent at certain moments. */
  readonly prime?: string | { readonly [Source in PrimeSource]?: string }
}
