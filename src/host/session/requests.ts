/**
 * What an agent's protocol asks in the middle of a turn: may it do something, or a form to be filled in. Both are put to
 * a person in the words of a decision. Pure but for the asking.
 */
import type { Elicitation, Elicited, Permission, PermissionKind } from '../../drivers/index.ts'
import { firstCharacters } from '../../model/characters.ts'
import { CAPS } from '../../model/decision.ts'
import type { Proof } from '../../model/proof.ts'
import type { AgentProgram } from './agent-program.ts'
import type { Picked } from './conversation.ts'
import { isOwnTool, type OwnTools } from './own-tools.ts'
import { permissionDecision, permissionPicked } from './permission-card.ts'

export interface RequestInTurn {
  readonly payload: unknown
  readonly door: Proof['door']
  /** The request as the agent sent it. */
  readonly received: unknown
}

/** Null: nobody will answer any more. */
export type Reply = Picked | { readonly rejected: string } | null

type Ask = (request: RequestInTurn) => Promise<Reply>

export interface PermissionRequest {
  readonly agent: string
  readonly program: AgentProgram
  readonly boxed: boolean
  readonly permission: Permission
  /** Ours, as they are at its step. */
  readonly tools: OwnTools
  readonly ask: Ask
}

/** By the user's rule, or by a person. */
export async function answerPermission(request: PermissionRequest): Promise<PermissionKind | null> {
  const { agent, program, boxed, permission, tools, ask } = request
  if (isOwnTool(tools, permission, program.toolCalls)) return 'allow_once'
  const rule = program.permissions === 'auto' ? (boxed ? 'allow' : 'ask') : program.permissions
  if (rule !== 'ask') return rule === 'allow' ? 'allow_once' : 'reject_once'
  const payload = permissionDecision(agent, permission)
  const reply = await ask({ payload, door: 'permission', received: permission.received })
  if (reply === null) return null
  return 'rejected' in reply ? 'reject_once' : permissionPicked(reply.pick)
}

export interface FormRequest {
  readonly agent: string
  readonly form: Elicitation
  readonly ask: Ask
}

/** A form that comes to one choice, filled in by a person. */
export async function answerForm({ agent, form, ask }: FormRequest): Promise<Elicited> {
  const payload = formDecision(agent, form)
  const reply = await ask({ payload, door: 'elicitation', received: form.received })
  if (reply === null) return { kind: 'cancelled' }
  if ('rejected' in reply) return { kind: 'declined', reason: reply.rejected }
  return reply.pick === '' ? { kind: 'declined', reason: reply.note } : { kind: 'picked', key: reply.pick }
}

function formDecision(agent: string, form: Elicitation): object {
  const { message, title, description, options, recommended } = form
  const headline = title.trim() || message.trim() || 'A form'
  return {
    headline: firstCharacters(headline, CAPS.headline),
    question: firstCharacters(message.trim() || `What shall ${agent} be told?`, CAPS.question),
    context: firstCharacters(
      [message, description].filter((text) => text.trim() !== '').join('\n\n'),
      CAPS.context,
    ),
    options: options.map(({ key, label, body }) => ({
      key,
      label: firstCharacters(label.trim() || key, CAPS.label),
      body: firstCharacters(body.trim() || label, CAPS.body),
    })),
    recommended,
  }
}
