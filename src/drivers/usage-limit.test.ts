import { describe, expect, it } from 'vitest'
import { readUsageLimit } from './usage-limit.ts'

const NOW = Date.parse('2026-07-04T12:00:00Z')
const at = (instant: string): number => Date.parse(instant)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const LIMITS: readonly (readonly [message: string, until: number | null])[] = [
  ['Claude AI usage limit reached|1783180800', 1783180800_000],
  ['Claude AI usage limit reached|1783180800000', 1783180800_000],
  [
    'Claude usage limit reached. Your limit will reset at 3pm (America/New_York).',
    at('2026-07-04T19:00:00Z'),
  ],
  ['Claude usage limit reached. Your limit will reset at 9am (America/Chicago).', at('2026-07-04T14:00:00Z')],
  [' ⎿  Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).', at('2026-07-04T18:00:00Z')],
  ['5-hour limit reached ∙ resets 6pm', at('2026-07-04T18:00:00Z')],
  [
    'Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to Max or turn on /extra-usage',
    at('2026-07-05T01:00:00Z'),
  ],
  ['Opus weekly limit reached ∙ resets Oct 9, 5am', at('2026-10-09T05:00:00Z')],
  ["You've hit your limit · resets 1:30am (Asia/Dhaka)", at('2026-07-04T19:30:00Z')],
  ["You've hit your session limit · resets 12:50am (America/Los_Angeles)", at('2026-07-05T07:50:00Z')],
  ["You've hit your weekly limit · resets Sep 15 at 7pm", at('2026-09-15T19:00:00Z')],
  ["You've hit your weekly limit · resets Jan 12, 10:59am (America/New_York)", at('2027-01-12T15:59:00Z')],
  ['You’ve hit your limit for Claude messages. Limits will reset at 9:30 AM.', at('2026-07-05T09:30:00Z')],
  ["You've hit your session limit · resets 11:58am (UTC)", at('2026-07-04T11:58:00Z')],
  [
    "■ You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11\nminutes.",
    NOW + 5 * 24 * HOUR + 22 * HOUR + 11 * MINUTE,
  ],
  ["🖐  You've hit your usage limit. Try again in 3 hours 5 minutes.", NOW + 3 * HOUR + 5 * MINUTE],
  [
    "You've hit your usage limit. Upgrade to Plus to continue using Codex (https://chatgpt.com/explore/plus), or try again at Jul 5th, 2026 8:19 PM.",
    at('2026-07-05T20:19:00Z'),
  ],
  [
    "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing), or wait for limits to reset (every 5h and every week.).",
    null,
  ],
  [
    'Rate limit reached for o4-mini in organization org-x on tokens per min (TPM): Limit 200000, Used 162960, Requested 42288. Please try again in 1.574s. Visit https://platform.openai.com/account/rate-limits to learn more.',
    NOW + 1574,
  ],
  [
    '429 Rate limit reached for gpt-4.1 on tokens per min (TPM): Limit 30000. Please try again in 174ms.',
    NOW + 174,
  ],
  ['[Error]: Rate limit reached for o4-mini. Please try again in 6m0s.', NOW + 6 * MINUTE],
  ['Rate limit exceeded. Retry-After: 30', NOW + 30_000],
  [
    'Ran into this error: Rate limit exceeded: Slow down.\n\nPlease retry if you think this is transient.',
    null,
  ],
  ['429 Too Many Requests, retry after 30s', NOW + 30_000],
  ['exceeded retry limit, last status: 429 Too Many Requests, request id: 9f9fe320aa92b10b-FRA', null],
  [
    'You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.',
    NOW + 8 * HOUR + 44 * MINUTE + 7000,
  ],
  [
    '[API Error: You have exhausted your capacity on this model. Your quota will reset after 53s.]',
    NOW + 53_000,
  ],
  [
    '✕ [API Error: [{ "error": { "code": 429, "message": "Resource has been exhausted (e.g. check quota).", "status": "RESOURCE_EXHAUSTED" } }]]',
    null,
  ],
  ['You have reached your daily gemini-2.5-pro quota limit.', null],
  ['You exceeded your current quota, please check your plan and billing details.', null],
  ['Quota exceeded for this project; it resets at 2026-07-05T00:00:00Z.', at('2026-07-05T00:00:00Z')],
  ['Quota exceeded, resets at 2026-07-05 02:30:00 +02:00', at('2026-07-05T00:30:00Z')],
  [
    'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account\'s rate limit. Please try again later."}}',
    null,
  ],
]

/** Without a time at which they reset. */
const SPENT: readonly string[] = [
  "You're out of usage credits",
  'Credit balance is too low',
  'API Error: Your credit balance is too low to access the API.',
  'You have exhausted your daily quota on this model.',
  'Free usage exceeded, add credits to go on',
  'Credits exhausted. Buy more.',
  '429 No remaining quota',
]

const ORDINARY: readonly string[] = [
  'Credits exhausted by a request are now booked back.',
  '',
  'Done. All tests pass.',
  'I added a handler for rate limit exceeded errors: it tries again in 30s.',
  'Rate limit exceeded errors are now retried after 30s.',
  'The client now answers 429 Too Many Requests when the quota is exceeded, and resets at midnight.',
  'Fixed: "usage limit reached" was shown even though the limit was not reached.',
  'Implemented RESOURCE_EXHAUSTED mapping in errors.ts.',
  'Upload size limit reached is now an error with its own code.',
  'The error came from a missing import, not from the rate limiter.',
  `You've hit your usage limit. Try again in 3 hours. ${'That is what the page says now. '.repeat(25)}`,
]

describe('a usage limit', () => {
  it.each(LIMITS)('is recognised in %j', (message, until) => {
    expect(readUsageLimit(message, NOW, 'UTC')).toEqual({ until })
  })

  it.each(SPENT)('[D31] is recognised in %j', (message) => {
    expect(readUsageLimit(message, NOW, 'UTC')).toEqual({ until: null })
  })

  it.each(ORDINARY)('is not read into %j', (message) => {
    expect(readUsageLimit(message, NOW, 'UTC')).toBeNull()
  })

  it('reads a clock time without a zone where the agent runs', () => {
    const message = "You've hit your limit · resets 3pm"
    expect(readUsageLimit(message, NOW, 'Europe/Berlin')).toEqual({ until: at('2026-07-04T13:00:00Z') })
    expect(readUsageLimit(message, NOW)?.until).toBeGreaterThan(NOW - HOUR)
  })

  it('is still recognised when it names a zone nobody knows', () => {
    expect(readUsageLimit("You've hit your limit · resets 3pm (Mars/Olympus)", NOW)?.until).not.toBeNull()
  })

  it('knows summer time', () => {
    const winter = at('2026-01-04T12:00:00Z')
    const message = 'Claude usage limit reached. Your limit will reset at 3pm (America/New_York).'
    expect(readUsageLimit(message, winter)).toEqual({ until: at('2026-01-04T20:00:00Z') })
  })
})
