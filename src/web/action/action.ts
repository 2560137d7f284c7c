/**
 * Everything a person can do is one object. Buttons, keys, the palette and the help read it, so there is one list of what can be done, and no
 * key without a name or button without a key.
 */
export interface UserAction {
  /** Unique on the page: `inbox.next`. */
  readonly id: string
  /** What happens, as a person would say it: "Next decision". */
  readonly label: string
  /** Each alone does it: `j`, `mod+k`, `Enter`. A capital letter is pressed with Shift. None: only buttons and the palette have it. */
  readonly keys: readonly string[]
  /** Under which heading the help and the palette show it. */
  readonly group: string
  /** Whether it can be done now. Left out: always. */
  readonly available?: boolean
  /** Left out of the palette and the help: one of several of a kind, such as a row of a list. */
  readonly isHidden?: boolean
  readonly run: () => void
}

export const isAvailable = ({ available = true }: UserAction): boolean => available
