/**
 * What a person of the owner's list may do: the one table that routes name and the door reads. The owner may do all of it, and besides what
 * takes the owner alone (routes with `access: 'owner'`). Tight by default: a config adds to it by name, as `may`.
 */
export const RIGHTS = {
  look: { isUsual: true, says: 'read runs, decisions and what is kept of them' },
  ask: { isUsual: true, says: 'put questions in their own name, wait for the answers and withdraw them' },
  answer: {
    isUsual: true,
    says: 'answer what is assigned to them, to a group of theirs or to nobody in particular',
  },
  arrange: { isUsual: false, says: 'snooze and assign decisions, and deliver answers again' },
  steer: {
    isUsual: false,
    says: 'cancel, retry, move, extend, discard, update, take and resume runs, and write to their agents',
  },
} as const satisfies Readonly<Record<string, { readonly isUsual: boolean; readonly says: string }>>

export type Right = keyof typeof RIGHTS

const ALL = Object.keys(RIGHTS) as readonly Right[]

/** What a config can add. */
export const GIVEN_RIGHTS: readonly Right[] = ALL.filter((right) => !RIGHTS[right].isUsual)

/** Null: the owner's. */
export const rightsOf = (colleague: { readonly may: readonly Right[] } | null): readonly Right[] =>
  colleague === null ? ALL : ALL.filter((right) => RIGHTS[right].isUsual || colleague.may.includes(right))
