/** The scripted agent as a driver: `launch.argv` is what follows the program, `--script FILE [--state DIR]`. */
import { type AcpDriverOptions, createAcpDriver } from '../acp/driver.ts'
import type { Driver } from '../driver.ts'

export interface ScriptedDriverOptions extends AcpDriverOptions {
  /** The bundled `agent.ts`. */
  readonly agentFile: string
}

export function createScriptedDriver({ agentFile, ...options }: ScriptedDriverOptions): Driver {
  const acp = createAcpDriver(options)
  return {
    open: (request) => {
      const argv = [process.execPath, agentFile, ...request.launch.argv]
      return acp.open({ ...request, launch: { ...request.launch, argv } })
    },
  }
}
