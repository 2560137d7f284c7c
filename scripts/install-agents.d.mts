export interface InstalledAgent {
  readonly name: string
  readonly version: string
  /** Where it stands, with everything it is made of. */
  readonly dir: string
  /** The file that is started. */
  readonly start: string
}

export declare function installedAgent(name: string): InstalledAgent | null
