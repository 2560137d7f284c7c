/** What stands around a command and decides what comes of it: two that differ in it may make different things. */
import type { LoadedRun } from '../runs/loaded-run.ts'
import { BASE_VARIABLES, listed } from './environment.ts'
import type { ProcessEnvironment } from './process-environment.ts'

/** What a command of the runbook finds around its files, as far as it decides what comes of them. */
export function commandWorld(
  { environment, engine, rulesFor }: ProcessEnvironment,
  { placed }: LoadedRun,
): string {
  const { use, network, env } = rulesFor(placed.placement.repo)
  const variables = listed(environment, [...BASE_VARIABLES, ...env])
  const names = Object.keys(variables).filter((name) => !OF_A_TERMINAL.test(name))
  const lasting = names.sort().map((name) => [name, variables[name]])
  return JSON.stringify([lasting, use === 'off' || engine === null ? null : network])
}

/** Different at each start of a host, and no matter to what is made. */
const OF_A_TERMINAL = /^(?:TERM|COLORTERM|NO_COLOR|FORCE_COLOR|SHELL|TMPDIR|TMP|TEMP)$/
