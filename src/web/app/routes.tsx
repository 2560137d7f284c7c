/** Every address of the application. A screen comes when it is first looked at, but for the inbox. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ActionsProvider } from '../action/actions.tsx'
import { parseBoardPlace } from '../board/place.ts'
import { InboxScreen } from '../inbox/inbox-screen.tsx'
import { parseRunPlace } from '../run/place.ts'
import { parseRunbookPlace } from '../runbook/place.ts'
import { parseRunsFilter } from '../runs/runs.view.ts'
import { NoticesProvider } from '../ui/notice.tsx'
import { EmptyState } from '../ui/page.tsx'
import { Gate } from './gate.tsx'
import { Login } from './login.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({
  component: () => (
    <ActionsProvider>
      <NoticesProvider>
        <Outlet />
      </NoticesProvider>
    </ActionsProvider>
  ),
  notFoundComponent: () => (
    <EmptyState title="There is nothing at this address">
      <p>
        The <a href="/inbox">inbox</a> is always there.
      </p>
    </EmptyState>
  ),
})

const login = createRoute({ getParentRoute: () => root, path: '/login', component: Login })

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: () => (
    <Gate>
      <Shell />
    </Gate>
  ),
})

const at = { getParentRoute: () => shell } as const

const home = createRoute({
  ...at,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox', replace: true })
  },
})
const inbox = createRoute({ ...at, path: '/inbox', component: InboxScreen })
// The screen stays when the decision changes, and with it what was typed for each.
const inInbox = { getParentRoute: () => inbox, component: () => null } as const
const decisions = createRoute({ ...inInbox, path: '/' })
const decision = createRoute({ ...inInbox, path: '/$decision' })
const boards = createRoute({
  ...at,
  path: '/board',
  validateSearch: parseBoardPlace,
  component: lazyRouteComponent(() => import('../board/board-screen.tsx'), 'BoardScreen'),
})
const board = createRoute({
  ...at,
  path: '/board/$flow',
  validateSearch: parseBoardPlace,
  component: lazyRouteComponent(() => import('../board/board-screen.tsx'), 'BoardScreen'),
})
const runs = createRoute({
  ...at,
  path: '/runs',
  validateSearch: parseRunsFilter,
  component: lazyRouteComponent(() => import('../runs/runs-screen.tsx'), 'RunsScreen'),
})
const run = createRoute({
  ...at,
  path: '/runs/$run',
  validateSearch: parseRunPlace,
  component: lazyRouteComponent(() => import('../run/run-screen.tsx'), 'RunScreen'),
})
const runbooks = createRoute({
  ...at,
  path: '/runbooks',
  component: lazyRouteComponent(() => import('../runbook/runbook-screen.tsx'), 'RunbookScreen'),
})
const runbook = createRoute({
  ...at,
  path: '/runbooks/$name',
  validateSearch: parseRunbookPlace,
  component: lazyRouteComponent(() => import('../runbook/runbook-screen.tsx'), 'RunbookScreen'),
})
const settings = createRoute({
  ...at,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings-screen.tsx'), 'SettingsScreen'),
})
const settingsSection = createRoute({
  ...at,
  path: '/settings/$section',
  component: lazyRouteComponent(() => import('../settings/settings-screen.tsx'), 'SettingsScreen'),
})
const tree = root.addChildren([
  login,
  shell.addChildren([
    home,
    ...[
      inbox.addChildren([decisions, decision]),
      boards,
      board,
      runs,
      run,
      runbooks,
      runbook,
      settings,
      settingsSection,
    ],
  ]),
])

export const createAppRouter = () => createRouter({ routeTree: tree, defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
