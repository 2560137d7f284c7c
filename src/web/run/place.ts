/** What of a run is looked at: a part of it, and the moment. Both stand in the address. */
export const RUN_TABS = ['log', 'diff', 'brief', 'evidence', 'handoffs', 'decisions', 'cost'] as const
export type RunTab = (typeof RUN_TABS)[number]

export interface RunPlace {
  readonly tab?: RunTab
  /** After so many events; left out: now. */
  readonly at?: number
}

export function parseRunPlace(search: Record<string, unknown>): RunPlace {
  const tab = RUN_TABS.find((name) => name === search['tab'])
  const at = Number(search['at'])
  return {
    ...(tab === undefined || tab === 'log' ? {} : { tab }),
    ...(Number.isInteger(at) && at > 0 ? { at } : {}),
  }
}
