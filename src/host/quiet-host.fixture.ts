/** A host on a journal, with no agents, no sandbox and no policies: for what is asked of it, not for what it does. */
import type { Journal } from '../journal/index.ts'
import { createProcessEnvironment } from './confinement/process-environment.ts'
import { type Host, openHost } from './host.ts'
import type { Clock } from './machine/clock.ts'
import type { Home } from './machine/home.ts'

export const openQuietHost = (options: {
  readonly journal: Journal
  readonly home: Home
  readonly clock: Clock
  readonly onBug: (error: unknown) => void
}): Host =>
  openHost({
    journal: options.journal,
    clock: options.clock,
    processEnvironment: createProcessEnvironment({ home: options.home, environment: {}, engine: null }),
    programFor: () => null,
    scriptedAgent: '',
    mcpBridge: '',
    version: '0',
    policies: async () => ({ policies: [], problem: null }),
    limits: { agents: 1, commands: 1 },
    trace: null,
    onBug: options.onBug,
  })
