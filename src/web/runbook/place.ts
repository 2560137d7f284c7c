/** Which line of a runbook's text is looked at. It stands in the address. */
export interface RunbookPlace {
  readonly line?: number
}

export function parseRunbookPlace(search: Record<string, unknown>): RunbookPlace {
  const line = Number(search['line'])
  return Number.isInteger(line) && line > 0 ? { line } : {}
}
