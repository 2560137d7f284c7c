/** What the YAML parser complains about, and what is made of it for the author. */
import type { CST } from 'yaml'

/** What an explanation may look at. */
export interface Complaint {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly message: string
  readonly tokens: readonly CST.Token[]
}

export interface YamlTrouble {
  readonly offset: number
  readonly message: string
  readonly help: string
  /** What comes after it cannot be judged. */
  readonly last?: true
}
