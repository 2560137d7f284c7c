/**
 * What an agent may change in the user's login: the values of tokens and of their times, where the login has them already.
 * Every other key keeps the user's value, so neither a setting nor a command can come in with a refreshed login.
 */

export type Refreshed =
  | { readonly kind: 'same' }
  | { readonly kind: 'refreshed'; readonly text: string; readonly changed: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

export function refreshedLogin(own: string, copy: string): Refreshed {
  const mine = parsed(own)
  if (mine === undefined) return refused('the login is not JSON, so it is read-only')
  const theirs = parsed(copy)
  if (theirs === undefined) return refused('the copy is not JSON')
  const changed: string[] = []
  try {
    const merged = merge(mine, theirs, { path: [], changed })
    if (changed.length === 0) return { kind: 'same' }
    return { kind: 'refreshed', text: `${JSON.stringify(merged, null, 2)}\n`, changed }
  } catch (error) {
    if (error instanceof Implausible) return refused(error.message)
    throw error
  }
}

const refused = (why: string): Refreshed => ({ kind: 'refused', why })

class Implausible extends Error {}

/** As the eight agents name them: `access_token`, `accessToken`, `access`, `expiresAt`, `expiry_date`, `last_refresh`. */
const TOKEN_KEY =
  /^(?:id_?token|(?:access|refresh)(?:_?token)?|(?:refresh_?token_?)?expir(?:es|y)(?:_?(?:at|in|date))?|last_?refresh)$/i

const MAX_TOKEN_CHARACTERS = 16 * 1024
const MAX_DEPTH = 8

interface Walk {
  readonly path: readonly string[]
  readonly changed: string[]
}

function merge(mine: object, theirs: object, { path, changed }: Walk): object {
  if (path.length > MAX_DEPTH) throw new Implausible('the login is nested too deeply')
  const merged = Object.entries(mine).map(([key, value]): [string, unknown] => {
    const at = [...path, key]
    const other: unknown = Object.hasOwn(theirs, key) ? (theirs as Record<string, unknown>)[key] : undefined
    if (isMap(value)) {
      // A part that the agent has no login for is left as it is.
      return [key, isMap(other) ? merge(value, other, { path: at, changed }) : value]
    }
    if (!TOKEN_KEY.test(key) || value === null || other === value) return [key, value]
    if (typeof other !== typeof value || !isToken(other))
      throw new Implausible(`its ${at.join('.')} is not a token`)
    changed.push(at.join('.'))
    return [key, other]
  })
  return Object.fromEntries(merged)
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isToken = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_TOKEN_CHARACTERS && /^[\x21-\x7e]+$/.test(value)
    : typeof value === 'number' && Number.isFinite(value)

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMap(value) ? value : undefined
  } catch {
    return undefined
  }
}
