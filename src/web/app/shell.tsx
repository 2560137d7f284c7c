/** What stands around every screen: the rail, the line that says when the host is gone, the palette, the help, and the keys that lead everywhere. */
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { isPending } from '../../model/decision-record.ts'
import type { UserAction } from '../action/action.ts'
import { useActions } from '../action/actions.tsx'
import { ask } from '../live/ask.ts'
import { useDecisions } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { dropPageKey } from '../live/page-key.ts'
import { useNow } from '../ui/now.ts'
import { ConnectionLine } from './connection-line.tsx'
import { Help } from './help.tsx'
import { Rail } from './rail.tsx'
import { SCREENS } from './screens.ts'
import styles from './shell.module.css'
import { chooseTheme } from './theme.ts'
import { useWaitingCount } from './waiting-count.ts'

const Palette = lazy(() => import('./palette.tsx'))
const MINUTE_MS = 60_000

export function Shell() {
  const [open, setOpen] = useState<'help' | 'palette' | null>(null)
  const now = useNow(MINUTE_MS)
  const pending = valueIn(useDecisions())?.pending ?? []
  const waiting = pending.filter((row) => isPending(row) && (row.snoozedUntil ?? 0) <= now).length
  useWaitingCount(waiting)
  const actions = useShellActions(setOpen)
  useActions(actions)
  const close = () => setOpen(null)
  return (
    <div className={styles.shell}>
      <a href="#screen" className={styles.skip}>
        To the screen
      </a>
      <Rail waiting={waiting} palette={actions[0]!} />
      <ConnectionLine className={styles.line ?? ''} />
      <main id="screen" className={styles.screen} tabIndex={-1}>
        <Outlet />
      </main>
      {open === 'help' ? <Help onClose={close} /> : null}
      {open === 'palette' ? (
        <Suspense>
          <Palette onClose={close} />
        </Suspense>
      ) : null}
    </div>
  )
}

function useShellActions(open: (what: 'help' | 'palette') => void): readonly UserAction[] {
  const navigate = useNavigate()
  return useMemo(
    () => [
      {
        id: 'palette',
        label: 'Everything that can be done',
        group: 'Everywhere',
        keys: ['mod+k'],
        run: () => open('palette'),
      },
      { id: 'help', label: 'What the keys do', group: 'Everywhere', keys: ['?'], run: () => open('help') },
      ...SCREENS.map(({ id, label, to, key }) => ({
        id: `go.${id}`,
        label: `Go to ${label}`,
        group: 'Everywhere',
        keys: [key],
        run: () => void navigate({ to }),
      })),
      ...(['light', 'dark', 'machine'] as const).map((theme) => ({
        id: `theme.${theme}`,
        label: theme === 'machine' ? 'Colours as the machine has them' : `Colours: ${theme}`,
        group: 'Everywhere',
        keys: [],
        run: () => chooseTheme(theme),
      })),
      {
        id: 'log-out',
        label: 'Log out of this browser',
        group: 'Everywhere',
        keys: [],
        run: () =>
          void ask('POST /api/v1/logout', {}).then(() => {
            dropPageKey()
            location.assign('/login')
          }),
      },
    ],
    [navigate, open],
  )
}
