/** Permission requests that wait for somebody. They may wait for hours, and all end when their turn is cancelled. */
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import type { Permission, PermissionKind } from '../driver.ts'
import type { Conversation } from './conversation.ts'
import { readTool } from './session-update.ts'

export interface PermissionDesk {
  answer(request: RequestPermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse>
  /** Answers every open request, and until `reopen` every later one, as cancelled. */
  cancelAll(): void
  reopen(): void
}

export function createPermissionDesk(options: {
  readonly conversation: Conversation
  readonly onPermission: (request: Permission) => Promise<PermissionKind | null>
}): PermissionDesk {
  const open = new Set<() => void>()
  let cancelled = false
  return {
    answer: async (request, withdrawn) => {
      if (cancelled) return CANCELLED
      const heard = readTool(request.toolCall as unknown as Record<string, unknown>)
      const tool = heard === null ? null : options.conversation.tool(heard)
      const asked = options.onPermission({
        title: tool?.title ?? 'tool call',
        toolCall: request.toolCall.toolCallId,
        input: tool?.input ?? null,
        options: request.options.map(({ kind, name }) => ({ kind, name })),
      })
      let dismiss = (): void => {}
      const dismissed = new Promise<null>((resolve) => {
        dismiss = () => resolve(null)
      })
      open.add(dismiss)
      withdrawn.addEventListener('abort', dismiss, { once: true })
      const kind = await Promise.race([asked, dismissed]).finally(() => open.delete(dismiss))
      const option = kind === null ? undefined : optionOf(kind, request.options)
      return option === undefined
        ? CANCELLED
        : { outcome: { outcome: 'selected', optionId: option.optionId } }
    },
    cancelAll: () => {
      cancelled = true
      for (const dismiss of open) dismiss()
    },
    reopen: () => {
      cancelled = false
    },
  }
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

// Ids are the agent's own and say nothing; where the lasting kind is not offered, the single one is the smaller step.
function optionOf(kind: PermissionKind, options: readonly PermissionOption[]): PermissionOption | undefined {
  const offered = (wanted: PermissionKind) => options.find((option) => option.kind === wanted)
  return (
    offered(kind) ??
    (kind === 'allow_always' ? offered('allow_once') : undefined) ??
    (kind === 'reject_always' ? offered('reject_once') : undefined)
  )
}
