/** Files that an answer names must be there: what is not is taken out of it, so that it counts as missing, and is said. */
import type { RawAnswer } from '../../model/answer.ts'
import type { Contract, Field } from '../../model/contract.ts'
import { isFileInside } from '../runs/world.ts'

export interface Named {
  readonly given: RawAnswer
  /** One sentence for each file that is not there. */
  readonly remarks: readonly string[]
}

export function withoutMissingFiles(
  given: RawAnswer,
  { contract, worktree }: { readonly contract: Contract; readonly worktree: string },
): Named {
  if (given.kind !== 'value' || !isRecord(given.value)) return { given, remarks: [] }
  const remarks: string[] = []
  const found = (fields: readonly Field[], values: Values): Values =>
    fields.reduce((kept, { name, type }) => {
      const path = type === 'file' ? kept[name] : undefined
      if (typeof path !== 'string' || path === '' || isFileInside(worktree, path)) return kept
      remarks.push(
        `\`${name}\` names ${JSON.stringify(path)}, and there is no such file in the worktree. Write it first.`,
      )
      const { [name]: _, ...others } = kept
      return others
    }, values)
  const value = found(contract.fields, given.value)
  const handoff = value['handoff']
  const handed =
    contract.handoff !== null && isRecord(handoff)
      ? { ...value, handoff: found(contract.handoff.fields, handoff) }
      : value
  return remarks.length === 0 ? { given, remarks } : { given: { kind: 'value', value: handed }, remarks }
}

type Values = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
