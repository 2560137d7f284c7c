/** How an agent came to raise a decision: what shows that it was its own. */
export interface Proof {
  readonly door: (typeof DOORS)[number]
  /** The call as it was received, in the store. */
  readonly call: string
  /** The prompts its session had been given, by their digests in the store. */
  readonly prompts: readonly string[]
  /** Texts of the payload that stood in those prompts already. */
  readonly dictated: readonly string[]
}

export const DOORS = ['http', 'mcp', 'cli', 'file', 'message', 'permission', 'elicitation'] as const
