/** What a person says in an agent's stead, together with what the agent had proposed. */
import type { Answer, RawAnswer } from '../model/answer.ts'
import { firstCharacters } from '../model/characters.ts'
import type { Contract } from '../model/contract.ts'
import { subjectsOf, valuesIn } from '../model/subjects.ts'
import { isRecord, LONGEST_TEXT } from './fields.ts'

/** Who takes what an agent proposed need not say it all again. */
export function completedBy(contract: Contract, proposal: Answer | null, given: RawAnswer): RawAnswer {
  if (proposal === null || given.kind !== 'value' || !isRecord(given.value)) return given
  const said = given.value
  if (!agrees(contract, proposal, said)) return given
  const { fields, notes, handoff } = proposal
  const handed = handoff?.values ?? {}
  const hasHandoff = handoff?.quality === 'full' || Object.keys(handed).length > 0
  const saidOfIt = isRecord(said['handoff']) ? said['handoff'] : {}
  const whole = hasHandoff ? { handoff: { ...handed, ...saidOfIt } } : {}
  return { kind: 'value', value: { ...fields, notes, ...said, ...whole } }
}

/** Variables are said again; of the fields that decide, only what is said can differ. `null` says that it is absent. */
function agrees(contract: Contract, proposal: Answer, said: Readonly<Record<string, unknown>>): boolean {
  const values = valuesIn(contract, proposal)
  return subjectsOf(contract).every(({ name, from }) => {
    const place = from === 'handoff' ? said['handoff'] : said
    if (from !== 'variable' && (place === undefined || (isRecord(place) && place[name] === undefined)))
      return true
    const value = isRecord(place) ? (place[name] ?? undefined) : undefined
    return (typeof value === 'boolean' ? String(value) : value) === values[name]
  })
}

/** The person's note counts as notes, which can make a handoff partial. */
export function notedIn(given: RawAnswer, note: string): RawAnswer {
  if (note === '' || given.kind !== 'value' || !isRecord(given.value)) return given
  const notes = given.value['notes']
  // However long the agent's are: the person's come last, and must not be what is cut off.
  const before = typeof notes === 'string' ? firstCharacters(notes, LONGEST_TEXT - note.length - 2) : ''
  return { kind: 'value', value: { ...given.value, notes: before === '' ? note : `${before}\n\n${note}` } }
}

export const saysHandoff = (given: RawAnswer): boolean =>
  given.kind === 'value' && isRecord(given.value) && isRecord(given.value['handoff'])
