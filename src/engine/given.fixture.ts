/**
 * How the tests of the engine speak: a runbook is given, a run of it is started, and then things happen to it.
 *
 *     const run = given(`steps: { … }`).started()
 *     run.answer('review@anna', { verdict: 'approve' })
 *     run.refuses.answer('review@anna', { verdict: 'reject' })   // gives back the refusal
 *
 * A command must be accepted unless it stands behind `refuses`. Program and states are frozen, so whoever changes
 * what came in is found out at once.
 */
import type { Actor, RawAnswer } from '../model/answer.ts'
import type { Address, GateResult, RunCommand } from '../model/command.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { parseDuration } from '../model/duration.ts'
import type { EventOf, RunEvent } from '../model/event.ts'
import type { Fact } from '../model/fact.ts'
import type { Fault } from '../model/fault.ts'
import type { Program } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { type Compiled, compileSource } from '../runbook/compile.ts'
import type { Writable } from './copy.ts'
import { decide } from './decide.ts'
import { type Duty, duties } from './duties.ts'
import { visitNumber } from './names.ts'
import { type MemberState, NEW_RUN, type OpenQuestion, type RunState } from './state.ts'

export const ALICE: Actor = { kind: 'person', name: 'alice' }
export const BOB: Actor = { kind: 'person', name: 'bob' }
export const AGENT: Actor = { kind: 'agent', name: 'dev' }

type Texts = Readonly<Record<string, string>>
type Reported = Exclude<Fault, 'expired' | 'invalid'>

export function given(text: string, files: Texts = {}) {
  const { program, diagnostics } = compiledOnce(text, files)
  if (program === null)
    throw new Error(
      diagnostics.map(({ code, at, message }) => `${at.line}:${at.column} ${code} ${message}`).join('\n'),
    )
  deepFreeze(program)
  return { program, started: (vars: Texts = {}) => made(unstarted(program).start(vars)) }
}

/** Setup and trials went well. `unstarted(program).start()` stands before them. */
function made(scene: Scene): Scene {
  for (;;) {
    const step = scene.program.steps[scene.state.current?.step ?? '']
    if (step?.kind !== 'check' || step.prepares !== true) return scene
    scene.check(step.name, Object.values(step.exits)[0]![0]!)
  }
}

const known = new Map<string, Compiled>()
function compiledOnce(text: string, files: Texts): Compiled {
  const key = JSON.stringify([text, files])
  if (!known.has(key)) known.set(key, compile(text, files))
  return known.get(key)!
}

/** What the compiler says. `runbook: 1` goes without saying; `files` are the runbooks of flow steps. */
export const compile = (text: string, files: Texts = {}): Compiled =>
  compileSource({ file: 'test.yaml', text: headed(text) }, (path) =>
    files[path] === undefined
      ? { kind: 'unreadable', why: 'is not there' }
      : { kind: 'text', text: headed(files[path]), file: path },
  )

const headed = (text: string): string => text.replace(/^\n*( *)/, '$1runbook: 1\n$1')

/** Where a command comes from, if not from where the run is. */
type Elsewhere = Partial<Omit<Address, 'step'>>

interface Reply {
  readonly by?: Actor
  readonly question?: string
  readonly note?: string
  readonly edited?: string
  readonly holdMs?: number
}

/** The commands, in few words. A place is `step` or `step@agent`. */
function commandsOf(scene: () => Pick<Scene, 'program' | 'state' | 'now'>) {
  const now = () => ({ at: scene().now })
  const seat = (place: string, over: Elsewhere = {}): Address & { at: number } => {
    const { state, program } = scene()
    const [name = '', agent] = place.split('@')
    const step = program.steps[name]
    const members = step !== undefined && 'members' in step ? step.members : []
    const member = agent === undefined ? 0 : members.findIndex((one) => one.agent === agent)
    const current = state.current?.step === name ? state.current.members[over.member ?? member] : undefined
    const attempt = current?.attempt ?? 1
    return { ...now(), step: name, visit: visitNumber(state, name) || 1, member, attempt, ...over }
  }
  const visit = (place: string, over?: Elsewhere) => {
    const { at, step, visit: number } = seat(place, over)
    return { at, step, visit: number }
  }
  const answer = (place: string, what: RawAnswer, over?: Elsewhere): RunCommand => ({
    type: 'attempt.answer',
    ...seat(place, over),
    given: what,
  })
  return {
    send: (command: RunCommand) => command,
    start: (vars: Texts = {}): RunCommand => ({ type: 'run.start', ...now(), run: 'r1', vars, facts: [] }),
    begin: (place: string, over?: Elsewhere, session: string | null = 'session-1'): RunCommand => ({
      type: 'attempt.begin',
      ...seat(place, over),
      session,
    }),
    /** `since` counts from the start of the run. */
    resume: (place: string, since: string): RunCommand => ({
      type: 'attempt.resume',
      ...seat(place),
      since: ms(since),
    }),
    answer: (place: string, value: unknown, over?: Elsewhere) =>
      answer(place, { kind: 'value', value }, over),
    answerNothing: (place: string, over?: Elsewhere) => answer(place, { kind: 'nothing' }, over),
    answerMalformed: (place: string, text: string) => answer(place, { kind: 'malformed', text }),
    fault: (place: string, fault: Reported, detail = '', over?: Elsewhere): RunCommand => ({
      type: 'attempt.fault',
      ...seat(place, over),
      fault,
      detail,
    }),
    /** `until` counts from the start of the run. */
    park: (place: string, until: string, over?: Elsewhere): RunCommand => ({
      type: 'attempt.park',
      ...seat(place, over),
      until: ms(until),
    }),
    use: (
      place: string,
      used: { costUsd?: number | null; tokens?: number },
      over?: Elsewhere,
    ): RunCommand => ({
      type: 'attempt.use',
      ...seat(place, over),
      costUsd: used.costUsd === undefined ? 0 : used.costUsd,
      tokens: used.tokens ?? 0,
    }),
    ask: (place: string, payload: unknown = EXAMPLE_DECISION, over?: Elsewhere): RunCommand => ({
      type: 'attempt.ask',
      ...seat(place, over),
      payload,
    }),
    take: (by: Actor = ALICE): RunCommand => ({ type: 'run.take', ...now(), by, reason: 'by hand' }),
    giveBack: (over: { by?: Actor; changes?: string; note?: string } = {}): RunCommand => ({
      ...{ type: 'run.resume', ...now(), by: ALICE, how: 'back', given: { kind: 'nothing' } },
      ...{ note: '', changes: '', gates: [], ...over },
    }),
    doneByHand: (value: object | null, gates: readonly GateResult[] = []): RunCommand => ({
      ...{ type: 'run.resume', ...now(), by: ALICE, how: 'answered', note: '', changes: '', gates },
      given: value === null ? { kind: 'nothing' } : { kind: 'value', value },
    }),
    /** A person says it to whoever is at work. */
    say: (text: string, by = ALICE): RunCommand => ({ type: 'run.say', ...now(), by, text }),
    tell: (place: string, words: readonly string[]): RunCommand => ({
      type: 'attempt.tell',
      ...seat(place),
      words,
    }),
    /** With the words of a judge, where one refused it. */
    trespass: (
      place: string,
      files: readonly string[],
      { words, ...over }: Elsewhere & { readonly words?: string } = {},
    ): RunCommand => ({
      type: 'attempt.trespass',
      ...seat(place, over),
      files,
      ...(words === undefined ? {} : { words }),
    }),
    record: (...facts: Fact[]): RunCommand => ({ type: 'run.record', ...now(), facts }),
    gate: (place: string, exitCode: number | null, output = '', over?: Elsewhere): RunCommand => ({
      type: 'gate.report',
      ...seat(place, over),
      exitCode,
      output,
      commit: 'c0ffee',
      diffstat: '',
    }),
    check: (step: string, exit: number | null | 'timed out', output = '', over?: Elsewhere): RunCommand => ({
      type: 'check.report',
      ...visit(step, over),
      exitCode: exit === 'timed out' ? null : exit,
      output,
      timedOut: exit === 'timed out',
    }),
    context: (step: string, items: Texts = {}, over?: Elsewhere): RunCommand => ({
      type: 'context.report',
      ...visit(step, over),
      items,
    }),
    /** A person answers what is open: `@retry`, `@stop`, or a value for the question. */
    person: (pick: '@retry' | '@stop' | object | null, reply: Reply = {}): RunCommand => ({
      type: 'question.answer',
      ...now(),
      question: reply.question ?? openQuestions(scene().state)[0]?.id ?? 'none',
      by: reply.by ?? ALICE,
      extra: typeof pick === 'string' ? pick : null,
      given: typeof pick === 'object' && pick !== null ? { kind: 'value', value: pick } : { kind: 'nothing' },
      note: reply.note ?? '',
      ...(reply.edited === undefined ? {} : { edited: reply.edited }),
      ...(reply.holdMs === undefined ? {} : { holdMs: reply.holdMs }),
    }),
    undo: (question: string, by: Actor = ALICE): RunCommand => ({
      type: 'decision.undo',
      ...now(),
      question,
      by,
    }),
    deliver: (question: string): RunCommand => ({
      type: 'decision.deliver',
      ...now(),
      question,
      session: 's',
      via: 'prompt',
    }),
    /** The clock is told that this much time has gone by. */
    pass: (duration: string): RunCommand => ({ type: 'time.pass', at: scene().now + ms(duration) }),
    move: (to: string, by = ALICE): RunCommand => ({
      type: 'run.move',
      ...now(),
      to,
      by,
      reason: 'a better way',
    }),
    retry: (by = ALICE): RunCommand => ({ type: 'run.retry', ...now(), by, reason: 'once more' }),
    cancel: (by = ALICE): RunCommand => ({ type: 'run.cancel', ...now(), by, reason: 'not needed' }),
    extend: (budget: string, amount: number, by = ALICE): RunCommand => ({
      type: 'run.extend',
      ...now(),
      budget,
      amount,
      by,
      reason: 'a good cause',
    }),
  }
}

type Commands = ReturnType<typeof commandsOf>
type Sent<T> = { readonly [K in keyof Commands]: (...args: Parameters<Commands[K]>) => T }

export interface Scene extends Sent<Scene> {
  readonly program: Program
  readonly state: RunState
  readonly now: number
  /** What the last command led to. */
  readonly events: readonly RunEvent[]
  readonly journal: readonly RunEvent[]
  /** Every command that was accepted, with how long the journal was before it. */
  readonly commands: readonly { readonly command: RunCommand; readonly before: number }[]
  /** The types of those events. */
  readonly happened: readonly RunEvent['type'][]
  /** `review#2`, or `ended: done`. */
  readonly place: string
  readonly duties: readonly Duty[]
  /** The flow's own open question. */
  readonly question: OpenQuestion
  /** Ids of all open questions. */
  readonly open: readonly string[]
  /** These commands must be refused, and change nothing. */
  readonly refuses: Sent<Refusal>
  /** These commands may be refused; the answer is whether they were accepted. */
  readonly tries: Sent<boolean>
  member(index?: number): MemberState
  /** The last event of that type that the last command led to. */
  event<T extends RunEvent['type']>(type: T): EventOf<T>
  /** Time goes by, and nobody tells the clock. */
  later(duration: string): Scene
}

/** A run of which nothing has happened yet. */
export function unstarted(program: Program): Scene {
  const journal: RunEvent[] = []
  const commands: { command: RunCommand; before: number }[] = []
  const send = (command: RunCommand): Refusal | null => {
    const decided = decide(program, scene.state, deepFreeze(command))
    if ('refusal' in decided) return decided.refusal
    commands.push({ command, before: journal.length })
    scene.state = deepFreeze(decided.state)
    scene.events = deepFreeze(decided.events)
    journal.push(...decided.events)
    scene.now = Math.max(scene.now, command.at)
    return null
  }
  const accept = (command: RunCommand): Scene => {
    const refusal = send(command)
    if (refusal !== null) throw new Error(`${command.type} was refused: ${refusal.message}`)
    return scene
  }
  const refuse = (command: RunCommand): Refusal => {
    const refusal = send(command)
    if (refusal === null) throw new Error(`${command.type} was accepted: ${scene.happened.join(', ')}`)
    return refusal
  }
  const made = Object.entries(commandsOf(() => scene)) as [string, (...args: unknown[]) => RunCommand][]
  const sentBy = <T>(by: (command: RunCommand) => T): Sent<T> =>
    Object.fromEntries(
      made.map(([name, make]) => [name, (...args: unknown[]) => by(make(...args))]),
    ) as Sent<T>
  const scene: Writable<Scene> = {
    ...sentBy(accept),
    refuses: sentBy(refuse),
    tries: sentBy((command) => send(command) === null),
    program,
    state: NEW_RUN,
    now: 0,
    events: [],
    journal,
    commands,
    get happened() {
      return this.events.map(({ type }) => type)
    },
    get place() {
      const { current, end, status } = this.state
      return current === null ? `${status}: ${end}` : `${current.step}#${current.number}`
    },
    get duties() {
      return duties(program, this.state)
    },
    get question() {
      const question = this.state.current?.question ?? null
      if (question === null) throw new Error('the flow asks nobody anything')
      return question
    },
    get open() {
      return openQuestions(this.state).map(({ id }) => id)
    },
    member(index = 0) {
      return this.state.current!.members[index]!
    },
    event<T extends RunEvent['type']>(type: T) {
      const found = this.events.findLast((event) => event.type === type)
      if (found === undefined) throw new Error(`no ${type} among ${this.happened.join(', ')}`)
      return found as EventOf<T>
    },
    later(duration) {
      this.now += ms(duration)
      return this
    },
  }
  return scene
}

const openQuestions = ({ current }: RunState): OpenQuestion[] =>
  [current?.question ?? null, ...(current?.members.map(({ question }) => question) ?? [])].filter(
    (one) => one !== null,
  )

export const ms = (duration: string): number => {
  const parsed = parseDuration(duration)
  if (parsed !== null) return parsed
  throw new Error(`"${duration}" is no duration`)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
