/** The screens there are, in the order of the rail. A new one is a folder, a line here and a route. */
export interface ScreenEntry {
  readonly id: string
  readonly label: string
  readonly to: '/inbox' | '/board' | '/runs' | '/runbooks' | '/settings'
  /** With Shift. */
  readonly key: string
}

export const SCREENS: readonly ScreenEntry[] = [
  { id: 'inbox', label: 'Inbox', to: '/inbox', key: 'I' },
  { id: 'board', label: 'Board', to: '/board', key: 'B' },
  { id: 'runs', label: 'Runs', to: '/runs', key: 'R' },
  { id: 'runbooks', label: 'Runbooks', to: '/runbooks', key: 'O' },
  { id: 'settings', label: 'Settings', to: '/settings', key: 'S' },
]
