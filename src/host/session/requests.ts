/**
 * What an agent's protocol asks in the middle of a turn: may it do something, or a form to be filled in. Both are put to
 * a person in the words of a decision. Pure but for the asking.
 */
import type { Elicitation, Elicited, Permission, PermissionKind } from '../../drivers/index.ts'
import { firstCharacters } from '../../model/characters.ts'
import { CAPS } from '../../model/decision.ts'
import type { DecisionForm } from '../../model/decision-form.ts'
import type { Proof } from '../../model/proof.ts'
import type { AgentProgram } from './agent-program.ts'
import type { Picked } from './conversation.ts'
import { isOwnTool, type OwnTools } from './own-tools.ts'
import { permissionDecision, permissionPicked } from './permission-card.ts'

export interface RequestInTurn {
  readonly payload: unknown
  readonly form?: DecisionForm
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
  /** Its answer does not reach the agent by its protocol: it is told otherwise. */
  readonly onDeclined: (reason: string) => void
}

/** An agent's form, filled in by a person. */
export async function answerForm({ agent, form, ask, onDeclined }: FormRequest): Promise<Elicited> {
  const fields = form.form === null ? {} : { form: form.form }
  const request = { payload: formDecision(agent, form), ...fields, door: 'elicitation' } as const
  const reply = await ask({ ...request, received: form.received })
  if (reply === null) return { kind: 'cancelled' }
  if ('rejected' in reply) {
    onDeclined(reply.rejected)
    return { kind: 'declined', reason: reply.rejected }
  }
  if (reply.pick !== '') return { kind: 'picked', key: reply.pick, fields: reply.fields }
  if (!form.takesWords) onDeclined(`A person answered it in words: ${reply.note}`)
  return { kind: 'words', text: reply.note }
}

/** Whole: what a card cannot hold is rejected, and the agent hears why. */
function formDecision(agent: string, form: Elicitation): object {
  const { message, title, description, options, recommended } = form
  const headline = title.trim() || message.trim() || 'A form'
  return {
    headline: firstCharacters(headline, CAPS.headline),
    question: firstCharacters(message.trim() || `What shall ${agent} be told?`, CAPS.question),
    context: [message, description].filter((text) => text.trim() !== '').join('\n\n'),
    options: options.map(({ key, label, body }) => ({ key, label, body: body.trim() || label })),
    recommended,
  }
}
