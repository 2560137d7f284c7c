/** What comes in over HTTP about decisions, from unknown to known. */
import type { DecisionOrder, PersonAnswer } from '../host/inbox/decisions.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import type { Proof } from '../model/proof.ts'
import { isFields, isTextOrNull, notAnObject, type Parsed } from './bodies.ts'

export function parseOrder(body: unknown, askedBy: string): Parsed<DecisionOrder> {
  if (!isFields(body)) return notAnObject
  if (!('decision' in body))
    return {
      problem: `The decision stands under \`decision\`: ${JSON.stringify({ decision: EXAMPLE_DECISION })}`,
    }
  const { decision: payload, asker = {}, door = 'http', resume = null, repo = '' } = body
  if (!isFields(asker)) return { problem: '`asker` must be { "agent", "program", "version", "model" }.' }
  const { agent = askedBy, program = '', version = '', model = '' } = asker
  if (!isText(agent) || !isText(program) || !isText(version) || !isText(model))
    return { problem: '`agent`, `program`, `version` and `model` of `asker` must be texts.' }
  const known = DOORS.find((name) => name === door)
  if (known === undefined) return { problem: `\`door\` must be one of ${DOORS.join(', ')}.` }
  if (!isText(repo)) return { problem: '`repo` must be a path.' }
  const order = { payload, asker: { agent, program, version, model }, door: known, repo }
  if (resume === null) return { ...order, resume }
  if (!isFields(resume) || !isArgv(resume['argv']) || !isText(resume['cwd']))
    return { problem: '`resume` must be { "argv": ["program", "argument"], "cwd": "/a/folder" }.' }
  return { ...order, resume: { argv: resume['argv'], cwd: resume['cwd'] } }
}

export const DOORS: readonly Proof['door'][] = ['http', 'mcp', 'cli', 'file', 'permission', 'elicitation']

const ANSWER_KEYS: readonly string[] = ['pick', 'note', 'fields', 'edited', 'digest', 'together']
/** Passed over: who answers is known by the token. */
const WHO: readonly string[] = ['by', 'person']

export function parseAnswer(body: unknown): Parsed<PersonAnswer> {
  if (!isFields(body)) return notAnObject
  const odd = Object.keys(body).filter((name) => ![...ANSWER_KEYS, ...WHO].includes(name))
  // Passed over, it would be another answer than the one that was meant.
  if (odd.length > 0) return { problem: `\`${odd[0]}\` is not part of an answer: ${ANSWER_KEYS.join(', ')}.` }
  const { pick = '', note = '', fields = {}, edited = null, digest = null, together = false } = body
  if (!isText(pick)) return { problem: '`pick` must be the key of an option, or be left out for words only.' }
  if (!isText(note)) return { problem: '`note` must be a text.' }
  if (!isFields(fields)) return { problem: '`fields` must map names to values.' }
  if (!isTextOrNull(edited)) return { problem: '`edited` must be a text, or be left out.' }
  if (!isTextOrNull(digest))
    return { problem: '`digest` must be the digest of what was seen, or be left out.' }
  if (typeof together !== 'boolean') return { problem: '`together` must be true or false.' }
  return { pick, note, fields, edited, digest, together }
}

export function parseSnooze(body: unknown): Parsed<{ readonly until: number | null }> {
  if (!isFields(body)) return notAnObject
  const { until } = body
  const instant = isText(until) && /^\d{4}-/.test(until) ? Date.parse(until) : until
  if (instant === null || (typeof instant === 'number' && Number.isSafeInteger(instant) && instant > 0))
    return { until: instant }
  return {
    problem: '`until` must be an instant, in milliseconds or as "2030-01-31T09:00:00Z", or null to wake it.',
  }
}

export function parseAssignment(body: unknown): Parsed<{ readonly to: string | null }> {
  if (!isFields(body)) return notAnObject
  const { to } = body
  return isTextOrNull(to) && to !== ''
    ? { to }
    : { problem: '`to` must name a person or a group, or be null for whoever is there.' }
}

export function parseReason(body: unknown): Parsed<{ readonly reason: string }> {
  if (!isFields(body)) return notAnObject
  const { reason = '' } = body
  return isText(reason) ? { reason } : { problem: '`reason` must be a text.' }
}

export function parseDeed(body: unknown): Parsed<{ readonly did: string }> {
  if (!isFields(body)) return notAnObject
  const { did } = body
  return isText(did) && did.trim() !== ''
    ? { did }
    : { problem: '`did` must say what was done about the answer.' }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isArgv = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText)
