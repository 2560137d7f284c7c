/**
 * Tells a usage limit from a failure. Agents report limits as prose, in an error or as their last message, so this
 * goes by the shapes their programs print. Only short messages that begin with such a shape count: an agent that
 * wrote about rate limits did its work.
 */
import { readResetTime } from './reset-time.ts'

export interface UsageLimit {
  /** When it resets, or null where the message does not say. */
  readonly until: number | null
}

/** `zone` is where clock times without a zone are read; the machine's own by default. */
export function readUsageLimit(text: string, nowMs: number, zone?: string): UsageLimit | null {
  const message = text.replace(/\s+/g, ' ').trim()
  if (message.length > LONGEST) return null
  const lead = LEAD.exec(message)?.[0] ?? ''
  const statement = message.slice(lead.length)
  const limited =
    STATEMENTS.some((shape) => shape.test(statement)) ||
    (/error|429/i.test(lead) && MACHINE_WORDS.test(message))
  return limited
    ? { until: readResetTime(message, { nowMs, ...(zone === undefined ? {} : { zone }) }) }
    : null
}

const LONGEST = 600

// What programs put before the message itself: bullets, brackets, "API Error:", "Error code: 429 -".
const LEAD =
  /^(?:[^\p{L}\p{N}]+|(?:(?:internal|api|http|backend|stream|request|server|provider|fatal)[ _])?error\b(?: code)?|ran into this error\b|429\b)*/iu

const END = String.raw`(?=$|[.:,;!|·∙•(]| (?:for|on|of|in|by|\(|[·∙•|-]))`
const anchored = (source: string): RegExp => new RegExp(`^(?:${source})`, 'i')

const STATEMENTS: readonly RegExp[] = [
  anchored(`(?:claude )?(?:ai )?usage limit (?:has been )?(?:reached|exceeded)${END}`),
  anchored(String.raw`(?:[\w.-]+ ){1,3}limit reached${END}(?=.*\bresets?\b)`),
  anchored(
    String.raw`you(?:['’]ve| have)? (?:hit|reached|exceeded|used up) (?:your|the) (?:[\w.'’/-]+ ){0,5}(?:limits?|quota)${END}`,
  ),
  anchored(
    String.raw`you(?:['’]ve| have)? exhausted your (?:(?:daily|weekly|monthly|free) )?(?:capacity|quota|credits)\b`,
  ),
  anchored(`you(?:['’]re| are) out of (?:extra )?usage(?: credits)?${END}`),
  anchored(`(?:resource|(?:[a-z]+ )?quota) (?:has been |is )?(?:exhausted|exceeded)${END}`),
  anchored(`(?:api )?rate[ -]limit (?:has been )?(?:reached|exceeded|hit)${END}`),
  anchored(`(?:you are being |you have been )?rate[ -]limited${END}`),
  anchored(String.raw`this request would exceed (?:your|the) [^.]*\brate limit\b`),
  anchored('exceeded retry limit, last status: 429'),
  anchored(`too many requests${END}`),
  anchored('(?:your )?credit balance is too low(?=$|[.:,;!]| to )'),
  anchored(`free usage (?:limit )?(?:has been |is )?(?:exceeded|exhausted|used up)${END}`),
  anchored(`(?:your )?(?:[a-z]+ )?credits (?:have been |are )?(?:exhausted|used up)(?=$|[.:,;!])`),
  anchored(`(?:you have |there is )?no remaining (?:quota|credits|usage)${END}`),
]

/** Words that only machines write, believed where the message says that it is an error. */
const MACHINE_WORDS =
  /\b(?:rate_limit_error|rate_limit_exceeded|rateLimitExceeded|RESOURCE_EXHAUSTED|insufficient_quota|usage_limit_reached|too many requests|rate limit|quota exceeded|usage limit)\b/i
