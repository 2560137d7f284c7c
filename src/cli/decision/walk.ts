/**
 * The walk through the inbox: a key in, the next state out, and what is to be asked of the host. No screen, no clock, no
 * host: those are `screen.ts` and `inbox.ts`. What somebody has begun to say belongs to the decision they see, and goes
 * away with it: nothing typed for one can be sent with another.
 */
import type { PersonAnswer } from '../../host/inbox/decisions.ts'
import type { Field } from '../../model/contract.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { parseDuration } from '../../model/duration.ts'
import { fieldsAsked, fieldValues } from '../../model/field-values.ts'
import type { Key } from './keys.ts'

export interface Walk {
  readonly items: readonly Item[]
  readonly at: number
  /** What is on the screen; null while it is read. */
  readonly record: DecisionRecord | null
  readonly mode: Mode
  readonly draft: Draft
  /** All of the context. */
  readonly whole: boolean
  /** Lines scrolled away. */
  readonly offset: number
  /** What of it was on the screen so far. */
  readonly sight: Sight
  /** What `u` takes back, until then. */
  readonly last: { readonly id: string; readonly until: number } | null
  /** What was done last, or cannot be. */
  readonly said: string
}

export interface Sight {
  /** How its lines were laid out; in another way, it begins again. */
  readonly layout: string
  /** Every line before this one was on the screen. */
  readonly to: number
  /** All of them were: from then on it can be answered. */
  readonly all: boolean
}

export interface Item {
  readonly id: string
  /** How many ask the same. */
  readonly group: number
}

export type Mode =
  | { readonly kind: 'look' }
  | { readonly kind: 'help' }
  /** A number says which option is meant. */
  | { readonly kind: 'edit-which' }
  | { readonly kind: 'write'; readonly about: About; readonly text: string }
  | { readonly kind: 'sure'; readonly pick: string }
  /** The host is asked; keys are not kept for later: they were not meant for what comes then. */
  | { readonly kind: 'busy' }
  /** What was on the screen is gone, and the key that was meant for it must not meet the next one. */
  | { readonly kind: 'gone'; readonly why: string }

export type About =
  | { readonly kind: 'note' | 'snooze' | 'assign' }
  | { readonly kind: 'edit'; readonly pick: string }
  | { readonly kind: 'field'; readonly pick: string; readonly field: Field }

export interface Draft {
  readonly note: string
  readonly edited: { readonly pick: string; readonly text: string } | null
  readonly fields: Readonly<Record<string, string>>
  readonly together: boolean
}

export type WalkAction =
  | { readonly kind: 'answer'; readonly id: string; readonly answer: PersonAnswer }
  | { readonly kind: 'snooze'; readonly id: string; readonly durationMs: number }
  | { readonly kind: 'assign'; readonly id: string; readonly to: string | null }
  | { readonly kind: 'undo' | 'retry'; readonly id: string }
  | { readonly kind: 'quit' }
  | { readonly kind: 'interrupt' }

export interface WalkStep {
  readonly walk: Walk
  readonly action: WalkAction | null
}

const NOTHING: Draft = { note: '', edited: null, fields: {}, together: false }
const LOOK: Mode = { kind: 'look' }
const UNSEEN: Sight = { layout: '', to: 0, all: false }

export const beginWalk = (items: readonly Item[]): Walk => ({
  items,
  at: 0,
  record: null,
  mode: LOOK,
  draft: NOTHING,
  whole: false,
  offset: 0,
  sight: UNSEEN,
  last: null,
  said: '',
})

export const currentOf = ({ items, at }: Walk): Item | null => items[at] ?? null

export function press(walk: Walk, key: Key): WalkStep {
  if (key.name === 'ctrl-c') return { walk, action: { kind: 'interrupt' } }
  switch (walk.mode.kind) {
    case 'busy':
      return stay(walk)
    case 'help':
    case 'gone':
      return stay({ ...walk, mode: LOOK, said: '' })
    case 'look':
      return look({ ...walk, said: '' }, key)
    case 'edit-which':
      return editWhich({ ...walk, mode: LOOK }, key)
    case 'sure':
      return key.name === 'y'
        ? send(walk, walk.mode.pick)
        : stay({ ...walk, mode: LOOK, said: 'Not answered.' })
    case 'write':
      return write(walk, walk.mode, key)
  }
}

const stay = (walk: Walk): WalkStep => ({ walk, action: null })

function look(walk: Walk, { name }: Key): WalkStep {
  const number = /^[1-9]$/.test(name) ? Number(name) : null
  if (number !== null) return pickNumber(walk, number)
  switch (name) {
    case 'q':
      return { walk, action: { kind: 'quit' } }
    case 'escape':
      return stay({ ...walk, draft: NOTHING })
    case '?':
      return stay({ ...walk, mode: { kind: 'help' } })
    case 'u':
      return walk.last === null
        ? stay({ ...walk, said: 'There is no answer of yours to take back.' })
        : { walk: { ...walk, mode: { kind: 'busy' } }, action: { kind: 'undo', id: walk.last.id } }
    case 'r':
      return isStuck(walk)
        ? { walk: { ...walk, mode: { kind: 'busy' } }, action: { kind: 'retry', id: walk.record!.id } }
        : stay(walk)
    case 'enter':
      return walk.draft.note === ''
        ? stay({ ...walk, said: 'A number picks an option; ? tells the keys.' })
        : walk.sight.all
          ? send(walk, '')
          : unseen(walk)
    case 'j':
    case 'right':
      return stay(moveBy(walk, 1))
    case 'k':
    case 'left':
      return stay(moveBy(walk, -1))
    default:
      return walk.record === null ? stay(walk) : stay(lookAt({ ...walk, record: walk.record }, name))
  }
}

/** Answered, and the answer reached nobody. */
export const isStuck = ({ record }: Walk): boolean => record?.status === 'undeliverable'

function lookAt(walk: Walk & { readonly record: DecisionRecord }, name: string): Walk {
  switch (name) {
    case 'o':
      return { ...walk, whole: !walk.whole, offset: 0 }
    case 'down':
      return { ...walk, offset: walk.offset + 1 }
    case 'up':
      return { ...walk, offset: Math.max(0, walk.offset - 1) }
    case 'space':
    case 'page-down':
      return { ...walk, offset: walk.offset + PAGE }
    case 'b':
    case 'page-up':
      return { ...walk, offset: Math.max(0, walk.offset - PAGE) }
    case 'e':
      return { ...walk, mode: { kind: 'edit-which' } }
    case 'n':
      return writing(walk, { kind: 'note' }, walk.draft.note)
    case 's':
      return writing(walk, { kind: 'snooze' }, '')
    case 'a':
      return writing(walk, { kind: 'assign' }, walk.record.assignee ?? '')
    case 't':
      return (currentOf(walk)?.group ?? 1) > 1
        ? { ...walk, draft: { ...walk.draft, together: !walk.draft.together } }
        : { ...walk, said: 'No other decision asks the same.' }
    default:
      return walk
  }
}

/** Lines of one leap. */
const PAGE = 10

const writing = (walk: Walk, about: About, text: string): Walk => ({
  ...walk,
  mode: { kind: 'write', about, text },
})

/** To another decision; what was begun for this one is gone. */
function moveBy(walk: Walk, by: number): Walk {
  const at = Math.min(Math.max(0, walk.at + by), Math.max(0, walk.items.length - 1))
  if (at === walk.at) return { ...walk, said: by > 0 ? 'This is the last one.' : 'This is the first one.' }
  return standingAt(walk, at)
}

/** At another place: nothing of what was begun comes along, but what must be read first stays on the screen. */
export const standingAt = (walk: Walk, at: number): Walk => ({
  ...walk,
  at,
  record: null,
  mode: walk.mode.kind === 'gone' ? walk.mode : LOOK,
  draft: NOTHING,
  whole: false,
  offset: 0,
  sight: UNSEEN,
})

function pickNumber(walk: Walk, number: number): WalkStep {
  if (isStuck(walk)) return stay({ ...walk, said: 'It is answered. r delivers the answer again.' })
  const option = walk.record?.shown.options[number - 1]
  if (option === undefined) return stay({ ...walk, said: `There is no option ${number}.` })
  return walk.sight.all ? pick(walk, option.key) : unseen(walk)
}

/** Nobody answers what was never before them. */
const unseen = (walk: Walk): WalkStep =>
  stay({
    ...walk,
    said: `Not answered: not all of it was on the screen yet. ${walk.whole ? 'Space scrolls to its end.' : 'o unfolds it, space scrolls to its end.'}`,
  })

/** What the option still needs is asked for, then whether it is meant. */
function pick(walk: Walk, key: string): WalkStep {
  const { record, draft } = walk
  if (record === null) return stay(walk)
  const field = fieldsAsked(record.shown, key).find(({ name }) => draft.fields[name] === undefined)
  if (field !== undefined) return stay(writing(walk, { kind: 'field', pick: key, field }, ''))
  const option = record.shown.options.find((each) => each.key === key)
  return option?.reversible === false ? stay({ ...walk, mode: { kind: 'sure', pick: key } }) : send(walk, key)
}

function send(walk: Walk, key: string): WalkStep {
  const { record, draft } = walk
  if (record === null) return stay(walk)
  const answer: PersonAnswer = {
    pick: key,
    note: draft.note,
    fields: fieldValues(record.shown.fields, draft.fields),
    edited: draft.edited?.pick === key ? draft.edited.text : null,
    digest: record.digest,
    together: draft.together,
  }
  return { walk: { ...walk, mode: { kind: 'busy' } }, action: { kind: 'answer', id: record.id, answer } }
}

function editWhich(walk: Walk, { name }: Key): WalkStep {
  const option = /^[1-9]$/.test(name) ? walk.record?.shown.options[Number(name) - 1] : undefined
  if (option === undefined) return stay({ ...walk, said: 'No option is changed.' })
  if (!walk.sight.all) return unseen(walk)
  return stay(writing(walk, { kind: 'edit', pick: option.key }, option.body))
}

function write(walk: Walk, mode: Extract<Mode, { kind: 'write' }>, key: Key): WalkStep {
  switch (key.name) {
    case 'escape':
      return stay({ ...walk, mode: LOOK })
    case 'enter':
      return written({ ...walk, mode: LOOK }, mode.about, mode.text)
    case 'backspace':
      return stay({ ...walk, mode: { ...mode, text: Array.from(mode.text).slice(0, -1).join('') } })
    case 'ctrl-u':
      return stay({ ...walk, mode: { ...mode, text: '' } })
    case 'ctrl-w':
      return stay({ ...walk, mode: { ...mode, text: mode.text.replace(/\S*\s*$/, '') } })
    default:
      return stay({ ...walk, mode: { ...mode, text: mode.text + key.text } })
  }
}

function written(walk: Walk, about: About, text: string): WalkStep {
  const id = walk.record?.id
  if (id === undefined) return stay(walk)
  const { draft } = walk
  switch (about.kind) {
    case 'note':
      return stay({ ...walk, draft: { ...draft, note: text.trim() } })
    case 'edit':
      return text.trim() === ''
        ? stay({ ...walk, said: 'An option that means nothing cannot be picked.' })
        : pick({ ...walk, draft: { ...draft, edited: { pick: about.pick, text: text.trim() } } }, about.pick)
    case 'field':
      return text.trim() === '' && about.field.requiredFor.includes(about.pick)
        ? stay({ ...walk, said: `${about.pick} needs ${about.field.name}.` })
        : pick(
            { ...walk, draft: { ...draft, fields: { ...draft.fields, [about.field.name]: text.trim() } } },
            about.pick,
          )
    case 'assign':
      return {
        walk: { ...walk, mode: { kind: 'busy' } },
        action: { kind: 'assign', id, to: text.trim() === '' ? null : text.trim() },
      }
    case 'snooze': {
      const durationMs = parseDuration(text.trim() === '' ? USUAL_SNOOZE : text.trim())
      return durationMs === null || durationMs === 0
        ? stay({ ...walk, said: `"${text.trim()}" is no time. Such as 30m, 2h or 1d.` })
        : { walk: { ...walk, mode: { kind: 'busy' } }, action: { kind: 'snooze', id, durationMs } }
    }
  }
}

export const USUAL_SNOOZE = '1h'
