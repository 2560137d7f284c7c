/** A correct answer for each outcome of a contract. The same one serves every state. */
import { exampleAnswer } from '../engine/contract-text.ts'
import type { Contract } from '../model/contract.ts'

type Example = Readonly<Record<string, unknown>>

const examples = new WeakMap<Contract, Map<string, Example>>()

export function exampleFor(contract: Contract, outcome: string): Example {
  let known = examples.get(contract)
  if (known === undefined) {
    known = new Map()
    examples.set(contract, known)
  }
  let found = known.get(outcome)
  if (found === undefined) {
    found = exampleAnswer(contract, outcome)
    known.set(outcome, found)
  }
  return found
}
