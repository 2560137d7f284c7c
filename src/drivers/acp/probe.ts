/**
 * Starts an agent, asks who it is and what it can do, has it begin a session, and ends it again. Whether somebody must log
 * in, most tell only then. Nothing is prompted and no token is spent.
 */
import { type AuthMethod, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { Launch } from '../driver.ts'
import { errorText, meaningOfError } from '../error-meaning.ts'
import { LATE, within } from './deadline.ts'
import { modelIn } from './handshake.ts'
import { type AgentLink, openLink } from './link.ts'

export interface Probe {
  readonly name: string
  readonly version: string
  readonly protocol: number
  /** How it goes on with an earlier session; null: it cannot. */
  readonly resumes: 'resume' | 'load' | null
  /** Whether it takes MCP servers over HTTP. */
  readonly mcpHttp: boolean
  /** Whether a prompt may hold images. */
  readonly images: boolean
  /** Whether it is told when a session is over. */
  readonly closes: boolean
  /** Ways to log in that it offers. */
  readonly logins: readonly string[]
  /** What it works with, where it tells. */
  readonly model: string | null
  /** Why it began no session; null: it did. */
  readonly noSession: NoSession | null
}

export interface NoSession {
  readonly kind: 'login' | 'refused' | 'late' | 'ended'
  readonly text: string
}

/** Why nothing is known of it. */
export interface Silence {
  readonly kind: 'ended' | 'refused' | 'late' | 'noise'
  readonly problem: string
}

const LEAVE_MS = 500
const GRACE_MS = 1_000

export async function probeAcp(launch: Launch, limitMs: number): Promise<Probe | Silence> {
  const program = launch.argv[0] ?? ''
  const until = performance.now() + limitMs
  let printed = 0
  const link = openLink({
    request: {
      launch,
      resume: null,
      mcp: null,
      counted: { costUsd: 0, tokens: 0 },
      onUpdate: () => {},
      onPermission: async () => null,
      onWire: null,
      startMs: limitMs,
    },
    registry: null,
    onSessionUpdate: () => {},
    onPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
    onElicitation: async () => ({ action: 'cancel' }),
    onNoise: (about) => {
      if (about === 'stdout') printed++
    },
    leaveMs: LEAVE_MS,
    graceMs: GRACE_MS,
  })
  const probe = await within(ask(link, { program, cwd: launch.cwd, until }), limitMs)
  await link.stop()
  if (probe !== LATE) return probe
  const after = `within ${limitMs / 1000} seconds`
  return printed === 0
    ? { kind: 'late', problem: `${program} did not answer ${after}.` }
    : {
        kind: 'noise',
        problem: `${program} printed ${printed === 1 ? 'a line' : `${printed} lines`}, none of it the protocol, and did not answer ${after}. Does it need another argument to speak ACP?`,
      }
}

interface Asking {
  readonly program: string
  readonly cwd: string
  /** On the clock of `performance`. */
  readonly until: number
}

async function ask(link: AgentLink, asking: Asking): Promise<Probe | Silence> {
  const { program } = asking
  const hello = await link.ask(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: '0' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  })
  if (hello.kind === 'gone') return { kind: 'ended', problem: await link.epitaph() }
  if (hello.kind === 'refused')
    return { kind: 'refused', problem: `${program} refused: ${errorText(hello.error)}` }
  const { protocolVersion, agentCapabilities: can = {}, authMethods, agentInfo } = hello.value
  const { model, noSession } =
    protocolVersion === PROTOCOL_VERSION
      ? await begin(link, asking, authMethods ?? [])
      : { model: null, noSession: null }
  return {
    name: agentInfo?.name ?? '',
    version: agentInfo?.version ?? '',
    protocol: protocolVersion,
    resumes: can.sessionCapabilities?.resume ? 'resume' : can.loadSession ? 'load' : null,
    mcpHttp: can.mcpCapabilities?.http === true,
    images: can.promptCapabilities?.image === true,
    closes: Boolean(can.sessionCapabilities?.close),
    logins: (authMethods ?? []).map(({ name }) => name),
    model,
    noSession,
  }
}

/** What is known must not be lost because this takes too long. */
const SPARE_MS = 200

async function begin(
  link: AgentLink,
  { cwd, until }: Asking,
  ways: readonly AuthMethod[],
): Promise<Pick<Probe, 'model' | 'noSession'>> {
  const leftMs = Math.max(0, until - performance.now() - SPARE_MS)
  const created = await within(link.ask(methods.agent.session.new, { cwd, mcpServers: [] }), leftMs)
  const no = (kind: NoSession['kind'], text: string) => ({ model: null, noSession: { kind, text } })
  if (created === LATE) return no('late', 'It answered, and began no session in time.')
  if (created.kind === 'gone') return no('ended', await link.epitaph())
  if (created.kind === 'answer') return { model: modelIn(created.value).model ?? null, noSession: null }
  const { error } = created
  // Some say so with an error of their own; who offers logins and begins nothing wants one of them.
  const isLogin =
    meaningOfError(error, Date.now()).kind === 'login' ||
    (ways.length > 0 && /auth|login|credential|api key/i.test(errorText(error)))
  return no(isLogin ? 'login' : 'refused', errorText(error))
}
