/** Whoever watches a run is told which hosts it was kept from: that is how one finds out which to list. */
import type { Sandbox } from '../../drivers/index.ts'

/** Beyond this an agent that tries every name would fill the log. */
const MOST_TOLD = 50

export function tellingRefused(sandbox: Sandbox | null, tell: (text: string) => void): Sandbox | null {
  if (sandbox === null) return sandbox
  const told = new Set<string>()
  return {
    ...sandbox,
    onRefused: ({ host, port, why }) => {
      const target = port === null ? host : `${host}:${port}`
      if (told.has(target) || told.size >= MOST_TOLD) return
      told.add(target)
      tell(`network: ${target} was not reached. ${why}`)
    },
  }
}
