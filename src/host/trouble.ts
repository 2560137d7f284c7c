/** Why something that was asked for was not done. */
export interface Trouble {
  readonly code: string
  /** A sentence that says what would be right. */
  readonly problem: string
}
