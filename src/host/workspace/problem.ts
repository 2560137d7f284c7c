/** The world let us down: a sentence that says what is wrong and what to do about it. */
export interface Problem {
  readonly problem: string
}
