/**
 * A question apart from where its answers lead, so that several steps can ask it. A step takes it as
 * `ask: verdict, routes: { … }`; leaving out an option there, or adding one, does not compile.
 */
import type { FieldType } from '../../model/contract.ts'
import type { At } from './names.ts'
import type { NoUnknownKeys } from './unknown-keys.ts'

/** A question that several steps ask: `ask: verdict, routes: { approve: 'ship', reject: 'develop' }`. */
export function question<const Q>(
  written: [Q] extends [never] ? Q : QuestionOf<Q> & NoUnknownKeys<Q, QuestionOf<Q>>,
): Q {
  return written as Q
}

export interface Question<Outcome extends string = string> {
  /** The name of the variable the answer sets. `decision` when left out. */
  readonly asks?: string
  /** The answers, best first. The step says where each leads. */
  readonly options: Readonly<Record<string, string | OptionWords>>
  /** What the answer carries beside the choice. */
  readonly fields?: Readonly<Record<string, WrittenField<Outcome>>>
}

export type QuestionOf<Q> = Question<keyof At<Q, 'options'> & string>

export interface OptionWords {
  /** What choosing it means; told to whoever answers. */
  readonly say?: string
  /** The words on the button. Made from the name when left out. */
  readonly label?: string
  /** The choice to make when in doubt. At most one of a question. */
  readonly recommended?: boolean
  /** Only a person may take it: from an agent it is a proposal, and a person is asked. */
  readonly confirm?: boolean
  /** Whether it can be undone. Policies never answer with an irreversible option. */
  readonly reversible?: boolean
}

export type WrittenField<Outcome extends string> = PlainType | PlainField<Outcome> | ChoiceField<Outcome>

type PlainType = Exclude<FieldType, 'choice'>

interface FieldKeys<Outcome extends string> {
  /** What belongs in it. */
  readonly say?: string
  /** Every answer must bring it. */
  readonly required?: boolean
  /** The options, or rows of a table, whose answer must bring it. */
  readonly required_for?: readonly Outcome[]
}

interface PlainField<Outcome extends string> extends FieldKeys<Outcome> {
  /** text, number, boolean, list (of texts), choice, file (a path), findings. */
  readonly type: PlainType
}

interface ChoiceField<Outcome extends string> extends FieldKeys<Outcome> {
  /** text, number, boolean, list (of texts), choice, file (a path), findings. */
  readonly type: 'choice'
  /** The values of a `choice`. */
  readonly choices: readonly [string, string, ...string[]]
}

type Plain = Readonly<Record<string, unknown>>

/** The steps as YAML has them: in the place of `ask` and `routes` stand `asks`, `options` and `fields`. */
export function withoutQuestions(steps: Plain): Plain {
  if (!isMap(steps)) return steps
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, withoutQuestion(step)]))
}

function withoutQuestion(step: unknown): unknown {
  if (!isMap(step) || !isMap(step.ask)) return step
  const asked = Object.entries({ ...step.ask, options: routed(step.ask.options, step.routes) })
  return Object.fromEntries(
    Object.entries(step).flatMap(([key, value]) =>
      key === 'ask' ? asked : key === 'routes' ? [] : [[key, value]],
    ),
  )
}

function routed(options: unknown, routes: unknown): Plain {
  const words = isMap(options) ? options : {}
  const leads = isMap(routes) ? routes : {}
  return Object.fromEntries(
    Object.keys({ ...words, ...leads }).map((name) => [
      name,
      { ...under('say', words[name]), ...under('to', leads[name]) },
    ]),
  )
}

/** The short form of an option's words or of its route is a text; its long form holds the text under a key. */
const under = (key: string, value: unknown): object =>
  isMap(value) ? value : value === undefined ? {} : { [key]: value }

const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
