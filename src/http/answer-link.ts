/**
 * Answering over a link. Looking never decides anything, so a preview of the link is harmless; only a POST does, and it
 * is bound to what was shown: a question that has changed since is shown anew instead.
 */
import type { Context } from 'hono'
import type { Decisions } from '../host/inbox/decisions.ts'
import type { ANSWER_LINK_ROUTES } from '../model/api/answer-link.ts'
import { type RejectionStatus, STATUS_OF } from '../model/api/rejection.ts'
import type { Field } from '../model/contract.ts'
import type { DecisionRecord } from '../model/decision-record.ts'
import { EXCESS_TEXT, MOST_VALUES } from '../model/json-text.ts'
import { operationsOf } from './admission.ts'
import { answerPage, messagePage, PAGE_HEADERS } from './answer-page.ts'
import type { Handlers, JudgedCall } from './handler.ts'
import { type LinkOrder, linkBeside, readLink } from './links.ts'

type Api = typeof ANSWER_LINK_ROUTES

export const ANSWER_LINK_HANDLERS: Handlers<Api> = { 'GET /d/{id}': look, 'POST /d/{id}': decide }

type Passing = JudgedCall<'GET /d/{id}', Api['GET /d/{id}']>
type Status = 200 | RejectionStatus

interface Entered {
  readonly link: LinkOrder
  readonly decisions: Decisions
  readonly record: DecisionRecord
}

async function look(asked: Passing): Promise<Response> {
  const entered = await enter(asked)
  return entered instanceof Response ? entered : show(asked, entered, { status: 200, notice: '', note: '' })
}

async function decide(asked: JudgedCall<'POST /d/{id}', Api['POST /d/{id}']>): Promise<Response> {
  const entered = await enter(asked)
  if (entered instanceof Response) return entered
  const { c } = asked
  const { link, decisions, record } = entered
  const form = await formOf(c)
  if ('problem' in form)
    return show(asked, entered, {
      status: 400,
      notice: `${form.problem}, so nothing is decided.`,
      note: '',
    })
  const { said } = form
  const pick = said['pick'] ?? asked.query.pick
  const note = said['note'] ?? ''
  if (pick === undefined)
    return show(asked, entered, { status: 400, notice: 'Nothing was picked, so nothing is decided.', note })
  const fields = fieldsIn(said, record.shown.fields)
  const { digest } = link
  const answered = await decisions.answer(link.id, {
    pick,
    note,
    fields,
    edited: null,
    digest,
    together: false,
  })
  // Where the browser goes from here can be loaded again without answering again.
  if ('answered' in answered) return c.redirect(linkBeside(link, asked.door.keys.secrets), 303)
  const now = await decisions.show(link.id)
  const status = STATUS_OF[answered.code]
  return show(
    asked,
    { ...entered, record: 'problem' in now ? record : now },
    { status, notice: answered.problem, note },
  )
}

/** Whom the link was made for and what it is about, or a page that says what is wrong with it. */
async function enter({ c, door, params, query }: Passing): Promise<Entered | Response> {
  const { keys } = door
  const link = readLink({ id: params.id, ticket: query.t }, keys.secrets)
  if (link === null) return message(c, 403, 'This link is not whole, was not made here, or was revoked.')
  const colleague = link.person === keys.owner ? null : keys.colleague(link.person)
  if (colleague === null && link.person !== keys.owner)
    return message(c, 403, `${link.person} is not among the people who may answer here any more.`)
  const { decisions } = operationsOf(door, link.person, colleague)
  const record = await decisions.show(link.id)
  if ('problem' in record) return message(c, STATUS_OF[record.code], record.problem)
  return { link, decisions, record }
}

/** The decision as it is now; where it is not what the link was made for, that is said. */
async function show(
  { c, door }: Pick<Passing, 'c' | 'door'>,
  { link, decisions, record }: Entered,
  { status, notice, note }: { readonly status: Status; readonly notice: string; readonly note: string },
): Promise<Response> {
  const { person } = link
  const current = await inPlaceOf(record, decisions)
  const hasChanged = current.digest !== link.digest && current.status === 'open'
  const notices = [notice, hasChanged ? changedText(record, current) : ''].filter((text) => text !== '')
  const action = linkBeside({ id: current.id, person, digest: current.digest }, door.keys.secrets)
  // What was typed for one decision must not stand ready to be sent with another.
  const typed = current.id === record.id ? note : ''
  const view = { record: current, person, action, notice: notices.join('\n'), note: typed }
  return c.html(answerPage(view), status, PAGE_HEADERS)
}

/** What stands in its place now, however often it was replaced. */
async function inPlaceOf(
  record: DecisionRecord,
  decisions: Pick<Decisions, 'show'>,
): Promise<DecisionRecord> {
  if (record.supersededBy === null) return record
  const next = await decisions.show(record.supersededBy)
  return 'problem' in next ? record : inPlaceOf(next, decisions)
}

function changedText(
  { id, shown }: DecisionRecord,
  { id: now, shown: after, earlier }: DecisionRecord,
): string {
  const said =
    'This question has changed since the link was made. Below is what it is now; look again before you answer.'
  const before = id === now ? (earlier ?? after) : shown
  const parts = (
    ['headline', 'question', 'detail', 'context', 'options', 'recommended', 'fields'] as const
  ).filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]))
  return parts.length === 0 ? said : `${said} Changed: ${parts.join(', ')}.`
}

const message = (c: Context, status: Status, text: string): Response | Promise<Response> =>
  c.html(messagePage('This link does not lead to a decision', text), status, PAGE_HEADERS)

type Form = { readonly said: Readonly<Record<string, string>> } | { readonly problem: string }

/** Fields of a page without files. Each of them, and each line in it, may become a value: they are counted before they are read. */
async function formOf(c: Context): Promise<Form> {
  const type = c.req.header('content-type') ?? ''
  const [kind = ''] = type.split(';')
  const isForm = FORMS.has(kind.trim().toLowerCase())
  const body = await c.req.text().catch(() => null)
  if (body === null) return { problem: 'The form came broken' }
  // What else somebody sends along says nothing: the link has what is picked.
  if (!isForm || body === '') return { said: {} }
  if (partsOf(body) > MOST_VALUES) return { problem: `The form is ${EXCESS_TEXT.values}` }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  if (form === null) return { problem: 'The form came broken' }
  const said: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string') said[name] = value.replaceAll('\r\n', '\n')
  return { said }
}

const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

function partsOf(body: string): number {
  let parts = 1
  for (const _ of body.matchAll(/&|\n|%0a/gi)) if (++parts > MOST_VALUES) break
  return parts
}

/** What was left empty was not given. */
function fieldsIn(
  said: Readonly<Record<string, string>>,
  fields: readonly Field[],
): Readonly<Record<string, unknown>> {
  const given = fields.flatMap(({ name, type }) => {
    const text = said[`field.${name}`]?.trim() ?? ''
    return text === '' ? [] : [[name, fieldValue(text, type)] as const]
  })
  return Object.fromEntries(given)
}

function fieldValue(text: string, type: Field['type']): unknown {
  switch (type) {
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text)
    case 'boolean':
      return text === 'true'
    case 'list':
      return linesOf(text)
    case 'findings':
      return linesOf(text).map((title) => ({ title }))
    case 'text':
    case 'choice':
    case 'file':
      return text
  }
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')
