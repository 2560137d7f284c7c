/**
 * Permission requests and forms that wait for somebody. They may wait for hours, and all end when their turn is cancelled.
 */
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import type { OpenRequest, PermissionKind } from '../driver.ts'
import type { AcpConversation } from './conversation.ts'
import { declined, formOf, responseOf } from './elicitation.ts'
import { readTool } from './session-update.ts'
import { toldIn } from './told-of-tool.ts'

export interface PermissionDesk {
  answer(request: RequestPermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse>
  fillIn(request: CreateElicitationRequest, withdrawn: AbortSignal): Promise<CreateElicitationResponse>
  /** Answers every open request, and until `reopen` every later one, as cancelled. */
  cancelAll(): void
  reopen(): void
}

export function createPermissionDesk(
  options: Pick<OpenRequest, 'onPermission' | 'onElicitation' | 'onFormDeclined'> & {
    readonly conversation: AcpConversation
  },
): PermissionDesk {
  const open = new Set<() => void>()
  let cancelled = false
  /** Null: the request was withdrawn, or its turn cancelled, before anybody answered. */
  const orDismissed = async <T>(asked: Promise<T>, withdrawn: AbortSignal): Promise<T | null> => {
    let dismiss = (): void => {}
    const dismissed = new Promise<null>((resolve) => {
      dismiss = () => resolve(null)
    })
    open.add(dismiss)
    withdrawn.addEventListener('abort', dismiss, { once: true })
    return Promise.race([asked, dismissed]).finally(() => open.delete(dismiss))
  }
  return {
    fillIn: async (request, withdrawn) => {
      if (cancelled) return { action: 'cancel' }
      const form = formOf(request)
      if ('reason' in form || options.onElicitation === undefined) {
        const reason = 'reason' in form ? form.reason : 'Nobody fills in forms here.'
        options.conversation.alive('form declined')
        options.onFormDeclined?.(reason)
        return declined(reason)
      }
      const elicited = await orDismissed(options.onElicitation(form.elicitation), withdrawn)
      return elicited === null ? { action: 'cancel' } : responseOf(form, elicited)
    },
    answer: async (request, withdrawn) => {
      if (cancelled) return CANCELLED
      const heard = readTool(request.toolCall as unknown as Record<string, unknown>)
      const tool = heard === null ? null : options.conversation.tool(heard)
      const asked = options.onPermission({
        title: tool?.title ?? 'tool call',
        toolCall: request.toolCall.toolCallId,
        ...toldIn(options.conversation.told(request.toolCall.toolCallId), request.options),
        options: request.options.map(({ kind, name }) => ({ kind, name })),
        received: request,
      })
      const kind = await orDismissed(asked, withdrawn)
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
