/**
 * What an agent keeps in the user's home, in parts that are handled differently. The agent writes to none of them: it has
 * copies in its private home. Each place is a path from the user's home: `~/…`.
 */
export interface Keeps {
  /** Files that hold its login. Each session has a copy, and only refreshed tokens come back: see login-copies.ts. */
  readonly login: readonly string[]
  /** Files are copied for each session, and the copy is thrown away. Folders are shown read-only. `*` is any name. */
  readonly settings: readonly KeptSetting[]
  /** Folders of the run at these places. The sessions of the user's other projects are not in them. */
  readonly sessions: readonly string[]
  /** Places whose meaning is unknown: copied once for an agent of a run, and never brought back. */
  readonly copied: readonly string[]
}

/** A place, or a JSON file of which some keys are left out: what the agent knows of the user's other projects. */
export type KeptSetting = string | { readonly file: string; readonly without: readonly string[] }

export const NO_KEEPS: Keeps = { login: [], settings: [], sessions: [], copied: [] }

export const settingPlace = (setting: KeptSetting): string =>
  typeof setting === 'string' ? setting : setting.file

/** All that is read of the user's home. */
export const readPlaces = ({ login, settings, copied }: Keeps): readonly string[] => [
  ...login,
  ...settings.map(settingPlace),
  ...copied,
]

/** What the agent gets of each place, in words; parts without a place are left out. */
export function keepsTexts({ login, settings, sessions, copied }: Keeps): readonly string[] {
  const texts: readonly (readonly [readonly string[], string])[] = [
    [login, 'a copy, of which refreshed tokens are written back'],
    [settings.map(settingPlace), 'read-only, or a copy that is thrown away'],
    [sessions, "the run's own"],
    [copied, 'copied once for a run, and not written back'],
  ]
  return texts.flatMap(([places, text]) => (places.length === 0 ? [] : [`${places.join(' ')} (${text})`]))
}
