/**
 * What the commands `agents`, `notify`, `policy` and `doctor` tell, for the host's door. All of it is found out when it is asked for, and loaded
 * then; what reads the whole record does so in a process of its own, so that no run waits for it. Of a project's config nothing is read: whoever
 * can write to a repository says nothing here.
 */
import type { HostSettings } from '../../http/host-settings.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'

export interface SettingsPlace {
  readonly environment: Environment
  /** The config that the host was started with. */
  readonly started: Pick<Config, 'notify'>
}

export function createHostSettings({ environment, started }: SettingsPlace): HostSettings {
  const { configDir } = environment
  const read = () => readConfig({ configDir, repo: null })
  const once = createOnce()
  return {
    agents: () =>
      once('agents', async () => {
        const { listKnownAgents } = await import('./agent-list.ts')
        return listKnownAgents({ ...read(), environment })
      }),
    probe: (agent) =>
      once(`probe ${agent}`, async () => {
        const { probeAgent } = await import('./agent-list.ts')
        return probeAgent(agent, { ...read(), environment })
      }),
    channels: async () => {
      const { listChannels } = await import('./channel-list.ts')
      return listChannels({ entries: read().config.notify, started: started.notify, environment })
    },
    test: async (channel) => {
      const { testChannel } = await import('./channel-list.ts')
      return testChannel(channel, { entries: read().config.notify, environment })
    },
    policies: async (history) => {
      const { reportPolicies } = await import('./policy-report.ts')
      return reportPolicies(history, { configDir, now: Date.now() })
    },
    ratify: async (name, history) => {
      const { ratifyPolicy } = await import('./policy-report.ts')
      return ratifyPolicy({ name, history }, { configDir, now: Date.now() })
    },
    sandbox: () =>
      once('sandbox', async () => {
        const { sandboxFindings } = await import('../doctor/sandbox-findings.ts')
        return sandboxFindings(environment, null)
      }),
    doctor: () =>
      once('doctor', async () => {
        const { runOwnDoctor } = await import('./own-doctor.ts')
        return runOwnDoctor(environment)
      }),
  }
}

/** Whoever asks while it is being found out waits for the same. */
function createOnce() {
  const going = new Map<string, Promise<unknown>>()
  return <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const begun = going.get(name) as Promise<T> | undefined
    if (begun !== undefined) return begun
    const made = act().finally(() => going.delete(name))
    going.set(name, made)
    return made
  }
}
