/**
 * The contract: what a step asks, and what counts as an answer. Prompt text, validator, error message, tool
 * schema, inbox form and routing matrix all come from this one definition.
 */

export interface Option {
  readonly value: string
  readonly label: string
  readonly say: string
  readonly recommended: boolean
  /** Only a person may take it: an agent's answer becomes a proposal. */
  readonly confirm: boolean
  readonly reversible: boolean
}

export interface Variable {
  readonly name: string
  /** Best first: in a panel the last-listed answer wins. */
  readonly options: readonly Option[]
  /** The answer may leave it out, and the rows of the table say what that means. */
  readonly optional?: true
}

export const FIELD_TYPES = ['text', 'number', 'boolean', 'list', 'choice', 'file', 'findings'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly say: string
  /** The outcomes that need it. */
  readonly requiredFor: readonly string[]
  readonly choices: readonly string[]
}

/** A row of a decision table: the first whose conditions all hold gives the outcome. */
export interface TableRow {
  readonly outcome: string
  /** Variable or field → values it may have, `absent` among them; what is not named may have any. */
  readonly when: Readonly<Record<string, readonly string[]>>
}

export interface Contract {
  /** Empty: nothing is asked, the end of the work is the answer (`done`). */
  readonly variables: readonly Variable[]
  readonly rows: readonly TableRow[]
  readonly fields: readonly Field[]
  /** The handoff the answer must bring. */
  readonly handoff: Handoff | null
}

export interface Handoff {
  readonly name: string
  readonly version: number
  readonly fields: readonly Field[]
  /** Notes alone will do when the nudges are used up. */
  readonly partial: boolean
  /** What a consumer gets when there is neither a handoff nor notes; null: a missing handoff is `invalid`. */
  readonly fallback: string | null
}

/** How a field of a handoff is called where it stands beside the answer's own: no name in a runbook has a dot. */
const IN_HANDOFF = 'handoff.'

export const handedName = (field: string): string => `${IN_HANDOFF}${field}`

/** What is said of handoff fields by those names, put into the handoff. */
export function withHandoff(said: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isHanded = (name: string): boolean => name.startsWith(IN_HANDOFF)
  const entries = Object.entries(said)
  const handed = entries.filter(([name]) => isHanded(name))
  if (handed.length === 0) return said
  const whole = said['handoff']
  return {
    ...Object.fromEntries(entries.filter(([name]) => !isHanded(name))),
    handoff: {
      ...(typeof whole === 'object' && whole !== null ? whole : {}),
      ...Object.fromEntries(handed.map(([name, value]) => [name.slice(IN_HANDOFF.length), value])),
    },
  }
}

/** The only outcome of a step that asks nothing. */
export const DONE = 'done'

/** Nothing can be wrong with an answer to it. */
export const asksNothing = ({ variables, fields, handoff }: Contract): boolean =>
  variables.length === 0 && fields.length === 0 && handoff === null

/** Every outcome the contract can give, in the order they stand. */
export function outcomesOf(contract: Contract): string[] {
  if (contract.rows.length > 0) return contract.rows.map((row) => row.outcome)
  const [first] = contract.variables
  return first === undefined ? [DONE] : first.options.map((option) => option.value)
}

/** The options of the contract that were chosen, one a variable. */
export function optionsChosen(contract: Contract, choices: Readonly<Record<string, string>>): Option[] {
  return contract.variables.flatMap((variable) =>
    variable.options.filter((option) => option.value === choices[variable.name]),
  )
}

/** Whether one of the chosen options is for people only. */
export function needsConfirmation(
  { variables }: Contract,
  choices: Readonly<Record<string, string>>,
): boolean {
  for (const { name, options } of variables)
    for (const { value, confirm } of options) if (confirm && value === choices[name]) return true
  return false
}
