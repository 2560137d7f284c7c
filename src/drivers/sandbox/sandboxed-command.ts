/** A command as it has to be started to run in its sandbox here and now, and what has to be done for it meanwhile. */
import type { ChildProcess } from 'node:child_process'

export interface CommandToBox {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface SandboxedCommand {
  readonly argv: readonly string[]
  /** Of what is started. The program's own may reach it another way. */
  readonly env: Readonly<Record<string, string>>
  /** What it has beside the three that everybody has. */
  readonly descriptors: readonly ('pipe' | 'ipc' | 'ignore')[]
  /** Whether the engine stays around the program, and takes it along when it ends. */
  readonly encloses: boolean
  /** From what was told of it: the process in it that is the last to go; null where there is none. */
  lastIn(status: string): number | null
  /** Serves it and watches over it from its start. */
  attend(child: ChildProcess): Attendance
  /** Why the program did not begin, where it ended with a code other than 0; null if it did. */
  troubleIn(told: SandboxWords): string | null
}

export interface Attendance {
  /** To be called at its end. */
  end(): void
  /** What we ended it for, as a sentence. */
  overLimit(): string | null
}

export interface SandboxWords {
  readonly code: number
  readonly stderr: string
  readonly status: string
  readonly words: string
}

/** By their numbers: how the program fared, the filter, that there was no beginning, its environment. The program has none of them. */
export const [STATUS_FD, FILTER_FD, WORDS_FD, SETTINGS_FD, CHANNEL_FD] = [3, 4, 5, 6, 7] as const
