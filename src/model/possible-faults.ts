/** The faults that those who decide at a step can make it end as. What cannot happen is not routed, and nobody is asked about it. */
import { asksNothing, type Contract } from './contract.ts'
import { FAULTS, type Fault } from './fault.ts'
import type { Member } from './program.ts'

export interface Deciders {
  readonly contract: Contract
  readonly blocking: readonly Member[]
  readonly isBounded: (agent: string) => boolean
  /** Whether money or tokens can run out. */
  readonly limited: boolean
}

export function possibleFaults(deciders: Deciders): Fault[] {
  const { blocking } = deciders
  const faultsOf = blocking.map((member) => FAULTS.filter((fault) => canFault(deciders, member, fault)))
  // The gravest decides, so whoever always fails must be able to fail no more gravely.
  const yields = (index: number, fault: Fault): boolean =>
    blocking[index]!.signal !== 'fail' ||
    faultsOf[index]!.some((own) => FAULTS.indexOf(own) >= FAULTS.indexOf(fault))
  return FAULTS.filter((fault) =>
    faultsOf.some(
      (own, index) =>
        own.includes(fault) && blocking.every((_, other) => other === index || yields(other, fault)),
    ),
  )
}

function canFault({ contract, isBounded, limited }: Deciders, member: Member, fault: Fault): boolean {
  switch (fault) {
    case 'invalid':
      return !asksNothing(contract)
    case 'failed':
    case 'stalled':
      return true
    case 'timed_out':
      return member.timeLimitMs !== null
    case 'out_of_bounds':
      return isBounded(member.agent)
    case 'over_budget':
      return limited
    case 'expired':
      return false
  }
}
