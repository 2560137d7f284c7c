/** What comes in over HTTP, from unknown to known. */
import type { Action, StartOrder } from '../host/operations.ts'
import type { Given } from '../model/answer.ts'

export type Parsed<T> = T | { readonly problem: string }
export type Fields = Readonly<Record<string, unknown>>

/** Undefined for what is not JSON. */
export async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    return undefined
  }
}

export function parseStart(body: unknown): Parsed<StartOrder> {
  if (!isFields(body)) return notAnObject
  const { runbook, dir, base = null, issue = null, vars = {} } = body
  if (typeof runbook !== 'string' || typeof dir !== 'string')
    return { problem: '`runbook` and `dir` must be absolute paths.' }
  if (!isTextOrNull(base) || !isTextOrNull(issue)) return { problem: '`base` and `issue` must be texts.' }
  if (!isFields(vars) || !Object.values(vars).every((value) => typeof value === 'string'))
    return { problem: '`vars` must map names to texts.' }
  return { runbook, dir, base, issue, vars: vars as Readonly<Record<string, string>> }
}

export function parseAction(body: unknown): Parsed<Action> {
  if (!isFields(body)) return notAnObject
  const { kind, reason = '', to, budget, amount, question, extra = null, given, note = '' } = body
  if (typeof reason !== 'string' || typeof note !== 'string')
    return { problem: '`reason` and `note` must be texts.' }
  switch (kind) {
    case 'cancel':
    case 'retry':
      return { kind, reason }
    case 'discard':
      return { kind }
    case 'move':
      return typeof to === 'string' ? { kind, to, reason } : { problem: '`to` must name a step.' }
    case 'extend':
      if (typeof budget !== 'string' || typeof amount !== 'number')
        return { problem: '`budget` must be a name and `amount` a number.' }
      return { kind, budget, amount, reason }
    case 'answer': {
      if (typeof question !== 'string') return { problem: '`question` must be the id of a question.' }
      if (extra !== null && extra !== '@retry' && extra !== '@stop')
        return { problem: '`extra` must be "@retry" or "@stop", or be left out.' }
      const parsed = parseGiven(given)
      return 'problem' in parsed ? parsed : { kind, question, extra, given: parsed, note }
    }
    default:
      return { problem: '`kind` must be one of cancel, retry, move, extend, discard, answer.' }
  }
}

function parseGiven(given: unknown): Parsed<Given> {
  if (given === undefined || given === null) return { kind: 'nothing' }
  if (!isFields(given)) return { problem: '`given` must be { "kind": "value", "value": … }.' }
  if (given['kind'] === 'nothing') return { kind: 'nothing' }
  if (given['kind'] === 'value' && 'value' in given) return { kind: 'value', value: given['value'] }
  return { problem: '`given` must be { "kind": "value", "value": … }.' }
}

export const notAnObject = { problem: 'The body must be a JSON object.' } as const

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'
