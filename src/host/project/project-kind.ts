/** What a kind of project says of its own commands, by its files. Pure: whoever asks has the files. */
import type { ProjectCommand } from '../../model/project-command.ts'

/** The files of a project, of a commit or in a folder. */
export interface ProjectFiles {
  /** Whether a file or folder of `PROBED` is there. */
  readonly has: (path: string) => boolean
  /** The text of a file of `PROBED`; empty where it is not one. */
  readonly text: (path: string) => string
}

export interface FoundCommand {
  readonly run: string
  /** Of setup: the files it depends on; empty: any of them. */
  readonly needs: readonly string[]
  /** Which file says so, and how. */
  readonly why: string
}

export type FoundCommands = Readonly<Partial<Record<ProjectCommand, FoundCommand>>>

export interface ProjectKind {
  /** The first of these that is there is its manifest. */
  readonly manifests: readonly string[]
  /** What else it looks at. */
  readonly probes: readonly string[]
  readonly commands: (files: ProjectFiles, manifest: string) => FoundCommands
}

export const found = (run: string, why: string, needs: readonly string[] = []): FoundCommand => ({
  run,
  why,
  needs,
})
