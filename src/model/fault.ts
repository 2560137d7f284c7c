/** The closed alphabet of ways a step can end without an answer. Each of them has a route, as an answer has. */

export const FAULTS = [
  'invalid',
  'failed',
  'stalled',
  'timed_out',
  'out_of_bounds',
  'over_budget',
  'expired',
] as const

export type Fault = (typeof FAULTS)[number]

export const isFault = (name: string): name is Fault => (FAULTS as readonly string[]).includes(name)

export const FAULT_MEANING: Record<Fault, string> = {
  invalid: 'no valid answer after the allowed nudges',
  failed: 'the work failed: a crash, a gate that kept failing, a command that could not be understood',
  stalled: 'no sign of life, or nothing new, for longer than allowed',
  timed_out: 'more working time than allowed',
  out_of_bounds: 'writes outside its boundary, again after being told',
  over_budget: "the run's limit in money or tokens is used up",
  expired: 'the deadline passed without an answer',
}
