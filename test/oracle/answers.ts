/**
 * Everything that could be said in answer to a contract: every combination of choices, every word about findings,
 * the handoff whole, in words or not at all, and what is no answer. Whether it fits is for the engine to say.
 */
import { type Finding, type RawAnswer, SEVERITIES, type Severity } from '../../src/model/answer.ts'
import type { Contract, Field, Variable } from '../../src/model/contract.ts'

type Json = Readonly<Record<string, unknown>>

const value = (said: Json): RawAnswer => ({ kind: 'value', value: said })

export interface Asked {
  readonly contract: Contract
  readonly settleOn: string | null
  /** What the rounds before have found. */
  readonly known: readonly Finding[]
  /** How many answer at once: what each says is met by everything the others can say. */
  readonly members: number
}

/** What an agent could say that might be taken. */
export function answersTo({ contract, settleOn, known, members }: Asked): RawAnswer[] {
  const reports =
    settleOn === null ? [{}] : reportsOn(known, members).map((findings) => ({ [settleOn]: findings }))
  const needsFields = contract.fields.some(({ requiredFor }) => requiredFor.length > 0)
  const asked = contract.fields.filter(({ name }) => name !== settleOn)
  return combinations(contract.variables).flatMap((choices) => [
    ...filledIn(asked, routedIn(contract)).flatMap((fields) =>
      reports.flatMap((report) =>
        handoffs(contract).map((handoff) => value({ ...choices, ...fields, ...report, ...handoff })),
      ),
    ),
    ...(needsFields ? [value(choices)] : []),
  ])
}

/** What a person could say in answer to the same: with everything, with little, or with a finding of their own. */
export function personsAnswersTo({ contract, settleOn }: Pick<Asked, 'contract' | 'settleOn'>): RawAnswer[] {
  const { fields: all, handoff } = contract
  const routed = routedIn(contract)
  const wholes = handoff === null ? [] : filledIn(handoff.fields, routed).map((whole) => ({ handoff: whole }))
  const partly = wholes.length > 1 ? [{ handoff: {}, notes: 'Told in words.' }] : []
  return combinations(contract.variables).flatMap((choices) => [
    ...filledIn(all, routed).flatMap((fields) =>
      [{}, ...wholes, ...partly].map((given) => value({ ...choices, ...fields, ...given })),
    ),
    value(choices),
    // Of what was proposed, `null` says that it is to be left out.
    ...(routed.length === 0 ? [] : leftOut(contract).map((nothing) => value({ ...nothing, ...choices }))),
    ...(settleOn === null
      ? []
      : [value({ ...choices, ...filled(all), [settleOn]: [{ title: "A person's", severity: 'blocker' }] })]),
  ])
}

/** What is no answer to anything that is asked. */
export const nonsenseFor = ({ variables: [first] }: Contract): RawAnswer[] => [
  { kind: 'nothing' },
  first === undefined ? { kind: 'malformed', text: 'no JSON here' } : value({ [first.name]: 'unheard-of' }),
]

function combinations([first, ...others]: readonly Variable[]): Json[] {
  if (first === undefined) return [{}]
  const values: Json[] = first.options.map((option) => ({ [first.name]: option.value }))
  if (first.optional === true) values.push({})
  return values.flatMap((said) => combinations(others).map((rest) => ({ ...said, ...rest })))
}

/** The fields that rows of its table name. */
const routedIn = ({ rows }: Contract): readonly string[] => rows.flatMap(({ when }) => Object.keys(when))

function leftOut(contract: Contract): Json[] {
  const routed = routedIn(contract)
  const nothing = (names: readonly { readonly name: string }[]): Json =>
    Object.fromEntries(names.flatMap(({ name }) => (routed.includes(name) ? [[name, null]] : [])))
  const { variables, fields, handoff } = contract
  const said = { ...filled(fields), ...nothing(variables), ...nothing(fields) }
  if (handoff === null) return [said]
  const rest = { ...filled(handoff.fields), ...nothing(handoff.fields) }
  return [null, rest].map((given) => ({ ...said, handoff: given, notes: 'Told in words.' }))
}

/** Each filled in, and those that decide with every value they can have, or left out. */
function filledIn([first, ...others]: readonly Field[], routed: readonly string[]): Json[] {
  if (first === undefined) return [{}]
  const { name, type, choices } = first
  const all = type === 'boolean' ? [true, false] : type === 'choice' ? choices : []
  const values: Json[] =
    routed.includes(name) && all.length > 0
      ? [...all.map((one) => ({ [name]: one })), {}]
      : [{ [name]: fieldValue(first) }]
  return values.flatMap((said) => filledIn(others, routed).map((rest) => ({ ...said, ...rest })))
}

const filled = (fields: readonly Field[]): Json =>
  Object.fromEntries(fields.map((field) => [field.name, fieldValue(field)]))

function fieldValue({ type, choices }: Field): unknown {
  switch (type) {
    case 'text':
    case 'file':
      return 'words'
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'list':
      return ['one']
    case 'choice':
      return choices[0]
    case 'findings':
      return []
  }
}

/** Whole, in part with some words, in words alone, or not at all. */
function handoffs(contract: Contract): Json[] {
  const { handoff } = contract
  if (handoff === null) return [{}]
  const routed = routedIn(contract)
  const words = { notes: 'Told in words.' }
  const parts = filledIn(
    handoff.fields.filter(({ name }) => routed.includes(name)),
    routed,
  )
  return [
    ...filledIn(handoff.fields, routed).map((whole) => ({ handoff: whole })),
    ...(parts.length > 1 ? parts.map((part) => ({ handoff: part, ...words })) : []),
    words,
    {},
  ]
}

/**
 * What a round could report. The words of a new finding are made of its severity and the round, so two members of a
 * panel say the same or something else, as they happen to.
 */
function reportsOn(known: readonly Finding[], members: number): Json[][] {
  const fresh = (severity: Severity): Json => ({ title: `${severity} ${known.length + 1}`, severity })
  if (known.length === 0) return [[], ...SEVERITIES.map((severity) => [fresh(severity)])]
  const open = known.filter(({ status }) => status === 'open')
  const marked = (findings: readonly Finding[], status: Finding['status']): Json[] =>
    findings.map(({ id }) => ({ id, status }))
  const fixed = marked(known, 'fixed')
  const still = marked(known, 'open')
  const again = open.map(({ title }) => ({ title }))
  const [major, minor] = [fresh('major'), fresh('minor')]
  // The third round is like the second; what there is to say of it is only more.
  if (known.length > 1) return [[], fixed, still, [...fixed, major]]
  const few = [[], fixed, still, again, [...fixed, major], [...fixed, minor], [...still, major]]
  if (members > 1) return few
  const others = [
    [...still, minor],
    [...again, major],
    [...again, minor],
    [fresh('blocker')],
    marked(open, 'open'),
    [...marked(open.slice(0, 1), 'fixed'), ...marked(open.slice(1), 'open')],
  ]
  return [...few, ...others]
}
