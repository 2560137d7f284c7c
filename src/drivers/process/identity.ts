/** A process is known by its pid and the time it started: a pid alone comes round again, then on a stranger. */

export interface ProcessId {
  readonly pid: number
  /** Opaque; the same only for the same process, also across reboots. */
  readonly startTime: string
}

export interface Process extends ProcessId {
  readonly name: string
  readonly parent: number
  readonly group: number
  /** Where the system does not tell sessions, the group; 0 is nobody's. */
  readonly session: number
}
