/** What of the boards is looked at beside the flow: whose issues are to be done. It stands in the address. */
export interface BoardPlace {
  readonly repo?: string
}

export function parseBoardPlace(search: Record<string, unknown>): BoardPlace {
  const { repo } = search
  return typeof repo === 'string' && repo.startsWith('/') ? { repo } : {}
}
