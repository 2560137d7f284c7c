/** What a person's choice means to the run it is given to. */
import type { RawAnswer } from '../../model/answer.ts'
import { combinationsFor } from '../../model/combinations.ts'
import { type Contract, withHandoff } from '../../model/contract.ts'
import { RETRY, STOP } from '../../model/route.ts'
import { partsOf, type Subject, type SubjectValues, subjectsOf, valuesIn } from '../../model/subjects.ts'
import { isRecord } from '../fields.ts'
import type { QuestionCard } from './question.ts'

export interface PickedAnswer {
  readonly extra: typeof RETRY | typeof STOP | null
  readonly given: RawAnswer
}

/** A table takes the values of its row; an agent's own question takes the key as it is. */
export function givenFor(
  card: Pick<QuestionCard, 'cause' | 'contract' | 'proposal'>,
  pick: string,
  fields: Readonly<Record<string, unknown>>,
): PickedAnswer {
  if (pick === RETRY || pick === STOP) return { extra: pick, given: { kind: 'nothing' } }
  if (card.cause === 'agent')
    return {
      extra: null,
      given: pick === '' ? { kind: 'nothing' } : { kind: 'value', value: pickWith(pick, fields) },
    }
  const said = withHandoff(fields)
  return { extra: null, given: { kind: 'value', value: { ...said, ...decidingParts(card, pick, said) } } }
}

const pickWith = (pick: string, fields: Readonly<Record<string, unknown>>): unknown =>
  Object.keys(fields).length === 0 ? pick : { pick, fields }

type Asked = Pick<QuestionCard, 'contract' | 'proposal'>

/** What was proposed is taken as it was; any other outcome by the first way to it. */
export const valuesPicked = ({ contract, proposal }: Asked, pick: string): SubjectValues =>
  proposal?.outcome === pick
    ? valuesIn(contract, proposal)
    : (combinationsFor(contract, pick)[0]?.values ?? {})

/** What is left out is said as `null`, so that nothing an agent proposed takes its place. */
function decidingParts(
  card: Asked,
  pick: string,
  typed: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { contract } = card
  const values = valuesPicked(card, pick)
  const { choices, fields, handed } = partsOf(contract, values)
  const absent = (from: readonly Subject['from'][]): Record<string, null> =>
    Object.fromEntries(
      subjectsOf(contract).flatMap((subject) =>
        from.includes(subject.from) && values[subject.name] === undefined ? [[subject.name, null]] : [],
      ),
    )
  const deciding = { ...absent(['handoff']), ...handed }
  const said = isRecord(typed['handoff']) ? typed['handoff'] : {}
  const isLeftOut = mayBeMissing(contract) && Object.keys({ ...handed, ...said }).length === 0
  const handoff = isLeftOut ? null : { ...said, ...deciding }
  return {
    ...absent(['variable', 'field']),
    ...choices,
    ...fields,
    ...(Object.keys(deciding).length > 0 ? { handoff } : {}),
  }
}

const mayBeMissing = ({ handoff }: Contract): boolean =>
  handoff !== null && (handoff.partial || handoff.fallback !== null)
