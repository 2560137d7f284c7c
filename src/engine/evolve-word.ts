/** What a person's word makes of the state: waiting for its agents, told, kept for the next. No rules; those are in word.ts. */
import type { EventOf } from '../model/event.ts'
import { type Fresh, withMember } from './fresh.ts'
import { turnName } from './names.ts'
import { FRESH_MEMBER, type MemberState, type RunState, type Word } from './state.ts'

export function sayWord(state: Fresh, { word: id, at, by, text, members }: EventOf<'word.said'>): void {
  state.extended = true
  state.said++
  const word: Word = { id, text, by, at }
  if (members.length === 0) state.words = [...state.words, word]
  for (const index of members)
    withMember(state, index, (member, { undo }) => {
      member.words = [...member.words, { ...word, told: null }]
      member.undo = undo
    })
}

export function tellWords(state: Fresh, { member: index, words }: EventOf<'word.told'>): void {
  withMember(state, index, (member) => {
    const told = turnName(member)
    member.words = member.words.map((word) => (words.includes(word.id) ? { ...word, told } : word))
  })
}

/** Whoever begins is told what was kept. */
export function freshMember(state: Fresh): MemberState {
  if (state.words.length === 0) return FRESH_MEMBER
  const words = state.words.map((word) => ({ ...word, told: null }))
  state.words = []
  return { ...FRESH_MEMBER, words }
}

/** A visit is over: what nobody in it was told is kept for the next agent. */
export function keepUntold(state: Fresh): void {
  const untold = untoldIn(state)
  if (untold.length > 0) state.words = [...state.words, ...untold]
}

/** What was said since then is still to be told. */
export function wordsAfterUndo(state: RunState, before: RunState): readonly Word[] {
  const known = new Set(before.current?.members.flatMap(({ words }) => words.map(({ id }) => id)))
  return [...state.words, ...untoldIn(state)].filter(({ id }) => !known.has(id))
}

const NONE: readonly Word[] = []

function untoldIn({ current }: RunState): readonly Word[] {
  if (current === null || current.members.every(({ words }) => words.length === 0)) return NONE
  const all = new Map(current.members.flatMap(({ words }) => words.map((word) => [word.id, word])))
  const told = new Set(
    current.members.flatMap(({ words }) => words.flatMap((word) => (word.told === null ? [] : [word.id]))),
  )
  return [...all.values()].filter(({ id }) => !told.has(id)).map(({ told: _, ...word }) => word)
}
