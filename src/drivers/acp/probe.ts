/** Starts an agent, asks who it is and what it can do, and ends it again. No session is opened and no token is spent. */
import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { Launch } from '../driver.ts'
import { LATE, within } from './deadline.ts'
import { type Link, openLink } from './link.ts'
import { refusalText } from './refusal.ts'

export interface Probe {
  readonly name: string
  readonly version: string
  readonly protocol: number
  /** How it goes on with an earlier session; null: it cannot. */
  readonly resumes: 'resume' | 'load' | null
  /** Whether it takes MCP servers over HTTP. */
  readonly mcpHttp: boolean
  /** Ways to log in that it offers. */
  readonly logins: readonly string[]
}

const LEAVE_MS = 500
const GRACE_MS = 1_000

export async function probeAcp(
  launch: Launch,
  startMs: number,
): Promise<Probe | { readonly problem: string }> {
  const program = launch.argv[0] ?? ''
  const link = openLink({
    request: {
      launch,
      resume: null,
      mcp: null,
      onUpdate: () => {},
      onPermission: async () => null,
      onWire: null,
      startMs,
    },
    registry: null,
    onSessionUpdate: () => {},
    onPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
    onNoise: () => {},
    leaveMs: LEAVE_MS,
    graceMs: GRACE_MS,
  })
  const probe = await within(ask(link, program), startMs)
  await link.stop()
  return probe === LATE ? { problem: `${program} did not answer within ${startMs / 1000} seconds.` } : probe
}

async function ask(link: Link, program: string): Promise<Probe | { readonly problem: string }> {
  const hello = await link.ask(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: '0' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  })
  if (hello.kind === 'gone') return { problem: await link.epitaph() }
  if (hello.kind === 'refused') return { problem: `${program} refused: ${refusalText(hello.error)}` }
  const { protocolVersion, agentCapabilities: can = {}, authMethods, agentInfo } = hello.value
  return {
    name: agentInfo?.name ?? '',
    version: agentInfo?.version ?? '',
    protocol: protocolVersion,
    resumes: can.sessionCapabilities?.resume ? 'resume' : can.loadSession ? 'load' : null,
    mcpHttp: can.mcpCapabilities?.http === true,
    logins: (authMethods ?? []).map(({ name }) => name),
  }
}
