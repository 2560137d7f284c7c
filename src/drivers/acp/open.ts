/** One session over the protocol, from the start of the process to the handshake. */
import type { Opened, OpenRequest } from '../driver.ts'
import type { ProcessRegistry } from '../process/registry.ts'
import { createConversation } from './conversation.ts'
import { LATE, within } from './deadline.ts'
import { shakeHands } from './handshake.ts'
import { openLink } from './link.ts'
import { createPermissionDesk } from './permission-desk.ts'
import { createSession } from './session.ts'

export interface AcpDriverOptions {
  readonly registry: ProcessRegistry | null
  /** Our version, as agents are told it. */
  readonly version?: string
  /** Longest wait for the answer to a cancelled prompt; after that the session is given up. */
  readonly cancelMs?: number
  /** How long an agent may take to leave by itself, and then to obey SIGTERM. */
  readonly leaveMs?: number
  readonly graceMs?: number
}

export async function openAcp(request: OpenRequest, options: AcpDriverOptions): Promise<Opened> {
  const { version = '0', cancelMs = 10_000, leaveMs = 1_000, graceMs = 3_000 } = options
  const conversation = createConversation(request.onUpdate)
  const { onPermission, onElicitation, onFormDeclined } = request
  const desk = createPermissionDesk({
    conversation,
    onPermission,
    ...(onElicitation === undefined ? {} : { onElicitation }),
    ...(onFormDeclined === undefined ? {} : { onFormDeclined }),
  })
  const link = openLink({
    request,
    registry: options.registry,
    onSessionUpdate: (params) => conversation.hear(params),
    onPermission: (params, withdrawn) => desk.answer(params, withdrawn),
    onElicitation: (params, withdrawn) => desk.fillIn(params, withdrawn),
    onNoise: (about) => conversation.alive(about),
    leaveMs,
    graceMs,
  })
  const calls: string[] = []
  const onCall = (method: string): void => void calls.push(method)
  const handshake = await within(
    shakeHands({ link, request, version, onCall }),
    request.startMs,
    request.signal,
  )
  const isLost =
    handshake !== LATE &&
    !('trouble' in handshake) &&
    handshake.replays &&
    !(await conversation.isReplayed(REPLAY_MS))
  if (handshake !== LATE && !('trouble' in handshake) && !isLost) {
    conversation.belongsTo(handshake.id)
    if (handshake.resumed) conversation.counted(request.counted)
    return { session: createSession({ link, conversation, desk, handshake, cancelMs }) }
  }
  conversation.mute()
  desk.cancelAll()
  await link.stop()
  if (isLost)
    return { trouble: 'no-session', detail: `${request.launch.argv[0]} loaded it, and knows nothing of it.` }
  if (handshake !== LATE && 'trouble' in handshake) return handshake
  if (request.signal?.aborted === true)
    return { trouble: 'failed', detail: `${request.launch.argv[0]} was stopped before it was open.` }
  return { trouble: 'failed', detail: lateText(request, calls) }
}

/** A session that is loaded is told again; one of which nothing is told is not there any more, whatever the agent answers. */
const REPLAY_MS = 3_000

/** There is a second call only where the first was answered. */
function lateText({ launch, startMs }: OpenRequest, [first, second]: readonly string[]): string {
  const silence =
    second === undefined ? `did not answer \`${first}\`` : `answered \`${first}\`, and then not \`${second}\``
  return `${launch.argv[0]} ${silence} within ${startMs / 1000} s.`
}
