/** Which driver makes a program work. */
import {
  createAcpDriver,
  createCommandDriver,
  createScriptedDriver,
  type Driver,
  type ProcessRegistry,
} from '../../drivers/index.ts'
import type { AgentProgram } from './agent-program.ts'

export interface DriverSetting {
  readonly registry: ProcessRegistry
  readonly version: string
  /** The scripted agent's program file. */
  readonly scriptedAgent: string
}

export function createDriverFor({
  registry,
  version,
  scriptedAgent,
}: DriverSetting): (program: AgentProgram) => Driver {
  const acp = createAcpDriver({ registry, version })
  const scripted = createScriptedDriver({ registry, version, agentFile: scriptedAgent })
  return ({ driver, prompt }) => {
    switch (driver) {
      case 'acp':
        return acp
      case 'scripted':
        return scripted
      case 'command':
        return createCommandDriver({ registry, prompt })
    }
  }
}
