/** An agent's process and the protocol spoken with it. Whatever the other side does, asking it gives an `Answer`. */
import {
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type AgentRequestResponsesByMethod,
  type CancelNotification,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  methods,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import type { OpenRequest } from '../driver.ts'
import { type Exit, launch } from '../process/launch.ts'
import type { ProcessRegistry } from '../process/registry.ts'
import { LATE, within } from './deadline.ts'
import { openWire } from './wire.ts'

export type LinkAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: RequestError }
  /** The process or the protocol ended first. */
  | { readonly kind: 'gone' }

export interface AgentLink {
  ask<M extends AgentRequestMethod>(
    method: M,
    params: AgentRequestParamsByMethod[M],
  ): Promise<LinkAnswer<AgentRequestResponsesByMethod[M]>>
  cancel(params: CancelNotification): void
  isUp(): boolean
  /** How the agent ended, and the last it said on stderr. */
  epitaph(): Promise<string>
  /** Lets the agent leave by itself for a moment, then ends it with everything it started. */
  stop(): Promise<void>
}

export interface LinkOptions {
  readonly request: OpenRequest
  readonly registry: ProcessRegistry | null
  readonly onSessionUpdate: (params: unknown) => void
  readonly onPermission: (
    params: RequestPermissionRequest,
    withdrawn: AbortSignal,
  ) => Promise<RequestPermissionResponse>
  readonly onElicitation: (
    params: CreateElicitationRequest,
    withdrawn: AbortSignal,
  ) => Promise<CreateElicitationResponse>
  /** Alive, and nothing that the protocol knows. */
  readonly onNoise: (about: string) => void
  readonly leaveMs: number
  readonly graceMs: number
}

export function openLink(options: LinkOptions): AgentLink {
  const { request, registry, onNoise } = options
  const running = launch(request.launch, { registry, onStderr: () => onNoise('stderr') })
  /** What it said was more than anybody can deal with. */
  let excess: string | null = null
  const connection = client({ name: 'signalbox' })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
      options.onPermission(params, signal),
    )
    .onRequest(methods.client.elicitation.create, ({ params, signal }) =>
      options.onElicitation(params, signal),
    )
    .onNotification('*', ({ method }) => onNoise(method))
    .onRequest('*', ({ method }) => {
      throw RequestError.methodNotFound(method)
    })
    .connect(
      openWire({
        stdin: running.stdin,
        stdout: running.stdout,
        onMessage: request.onWire ?? (() => {}),
        onSessionUpdate: options.onSessionUpdate,
        onNoise: () => onNoise('stdout'),
        onExcess: (sentence) => {
          excess = sentence
          void running.stop(0)
        },
      }),
    )
  let up = true
  void running.exited.then(() => {
    up = false
  })
  // What an ended agent left running may hold its output open for ever.
  void running.exited.then(() => within(running.closed, DRAIN_MS)).then(() => connection.close())

  return {
    ask: async (method, params) => {
      try {
        const value = await connection.agent.request(method, params)
        // Some answer with nothing where they have nothing to say.
        return { kind: 'answer', value: value ?? ({} as typeof value) }
      } catch (error) {
        return error instanceof RequestError ? { kind: 'refused', error } : { kind: 'gone' }
      }
    },
    cancel: (params) => {
      connection.agent.notify(methods.agent.session.cancel, params).catch(() => {})
    },
    isUp: () => up,
    epitaph: async () => {
      const exit = await within(running.exited, DRAIN_MS)
      // The last words may arrive after the end.
      if (exit !== LATE) await within(running.closed, DRAIN_MS)
      if (excess !== null) return `${request.launch.argv[0]} was ended. ${excess}`
      const said = running.stderrTail().trim()
      return `${request.launch.argv[0]} ${exit === LATE ? 'closed its output' : manner(exit)}${said === '' ? '.' : `: ${said}`}`
    },
    stop: async () => {
      running.stdin.end()
      await within(running.exited, options.leaveMs)
      await running.stop(options.graceMs)
      connection.close()
    },
  }
}

const DRAIN_MS = 500

function manner({ code, signal, error, overLimit }: Exit): string {
  if (overLimit !== null) return `was ended. ${overLimit}`
  if (error !== null) return `could not be started: ${error}`
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
}
