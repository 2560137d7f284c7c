/**
 * What an error of an agent, or of the model behind it, means: a usage limit, a missing login or a failure. Every driver asks
 * here. What an error says in fields comes before its code, and that before its text: texts change with every version.
 */
import { readResetTime } from './reset-time.ts'
import { readUsageLimit } from './usage-limit.ts'

export type ErrorMeaning =
  /** When it resets, or null where that is not said. */
  | { readonly kind: 'limited'; readonly until: number | null }
  | { readonly kind: 'login' }
  | { readonly kind: 'failed' }

/** An error as JSON-RPC has it. */
export interface ReportedError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export function meaningOfError(error: ReportedError, nowMs: number): ErrorMeaning {
  const texts = textsOf(error)
  const kind = kindInFields(error.data) ?? KIND_OF_CODE[error.code] ?? null
  if (kind === 'limited') {
    const [until = null] = texts.flatMap((text) => readResetTime(text, { nowMs }) ?? [])
    return { kind, until }
  }
  if (kind !== null) return { kind }
  for (const text of texts) {
    // An error is no prose: its beginning tells, however long it goes on.
    const limit = readUsageLimit(text.slice(0, 500), nowMs)
    if (limit !== null) return { kind: 'limited', ...limit }
  }
  return { kind: texts.some((text) => MISSING_LOGIN.test(text)) ? 'login' : 'failed' }
}

const MISSING_LOGIN =
  /\b(?:auth(?:entication)? required|not (?:logged|signed) in|(?:log|sign)[ -]?in required|please (?:log|sign) ?in|please run \/login|invalid api key)\b/i

/** Message and details; agents put the useful part in either. */
export function errorText(error: ReportedError): string {
  const details = detailsOf(error.data)
  return details === '' || error.message.includes(details) ? error.message : `${error.message}: ${details}`
}

const textsOf = (error: ReportedError): string[] => [error.message, detailsOf(error.data), errorText(error)]

function detailsOf(data: unknown): string {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null) return ''
  const { details, message, error } = data as Record<string, unknown>
  const told = [details, message, error].find((value) => typeof value === 'string')
  return typeof told === 'string' ? told : JSON.stringify(data)
}

type Kind = ErrorMeaning['kind']

/** -32000 is the protocol's own for a missing login; the others are used by agents. */
const KIND_OF_CODE: Readonly<Record<number, Kind>> = {
  [-32000]: 'login',
  [-32003]: 'limited',
  401: 'login',
  429: 'limited',
}

const STATUS_KEYS = ['httpStatusCode', 'http_status', 'statusCode', 'status_code', 'status', 'code'] as const

/** How agents and the APIs behind them name a kind of error; claude under `errorKind`, codex under `codexErrorInfo`. */
const KIND_KEYS = ['errorKind', 'codexErrorInfo', 'type', 'code', 'status'] as const
const KIND_OF_NAME: Readonly<Record<string, Kind>> = {
  authentication_failed: 'login',
  oauth_org_not_allowed: 'login',
  authentication_error: 'login',
  unauthorized: 'login',
  UNAUTHENTICATED: 'login',
  invalid_api_key: 'login',
  rate_limit: 'limited',
  billing_error: 'limited',
  usageLimitExceeded: 'limited',
  rateLimitExceeded: 'limited',
  rate_limit_error: 'limited',
  rate_limit_exceeded: 'limited',
  insufficient_quota: 'limited',
  usage_limit_reached: 'limited',
  RESOURCE_EXHAUSTED: 'limited',
  overloaded: 'failed',
  invalid_request: 'failed',
  model_not_found: 'failed',
  server_error: 'failed',
  max_output_tokens: 'failed',
  contextWindowExceeded: 'failed',
  serverOverloaded: 'failed',
  internalServerError: 'failed',
  badRequest: 'failed',
}

/** Nearest first: what stands deeper was handed on. */
function kindInFields(data: unknown): Kind | null {
  let level = [data]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const fields = level.filter((value) => typeof value === 'object' && value !== null).slice(0, MAX_FIELDS)
    for (const each of fields) {
      const kind = kindIn(each as Readonly<Record<string, unknown>>)
      if (kind !== null) return kind
    }
    level = fields.flatMap((each) => Object.values(each as object))
  }
  return null
}

const MAX_DEPTH = 4
const MAX_FIELDS = 50

function kindIn(fields: Readonly<Record<string, unknown>>): Kind | null {
  for (const key of KIND_KEYS) {
    const name = fields[key]
    if (typeof name === 'string' && Object.hasOwn(KIND_OF_NAME, name)) return KIND_OF_NAME[name]!
  }
  for (const key of STATUS_KEYS) {
    const status = Number(fields[key])
    if (status === 401 || status === 429) return KIND_OF_CODE[status]!
  }
  return null
}

/** What a whole message says that holds nothing but an error of the model; `within`: a line of it will do. */
export function isModelError(said: string, { within = false } = {}): boolean {
  const text = said.trim()
  if (text.length > MAX_ERROR_TEXT) return false
  const found = MODEL_ERROR.exec(text)
  return (found !== null && (within || found.index === 0)) || isErrorInJson(text)
}

const MAX_ERROR_TEXT = 1500

const MODEL_ERROR =
  /^\W{0,4}(?:API Error|Error:|(?:Internal|Server|Stream|Provider|Request|Network) error|Request failed|unexpected status \d{3}|(?:HTTP )?[45]\d\d\b[ :,-]{0,4}(?:\{|status|error|internal server|bad gateway|service unavailable|gateway time|too many|unauthorized|overloaded)|Failed to (?:connect|authenticate|get response)|Invalid API key|Please run \/login|Ran into this error|The model returned an empty response)/im

/** As the APIs of models word it, and nothing else beside it: an answer may have a field of that name. */
export function isErrorInJson(said: string): boolean {
  const text = said.trim()
  if (!/^[[{]/.test(text)) return false
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first !== 'object' || first === null) return false
    const { error, type } = first as Readonly<Record<string, unknown>>
    const isError = type === 'error' || typeof error === 'object' || typeof error === 'string'
    return isError && Object.keys(first).every((key) => ERROR_KEYS.has(key))
  } catch {
    return false
  }
}

const ERROR_KEYS = new Set(['error', 'type', 'code', 'status', 'message', 'request_id', 'detail', 'details'])
