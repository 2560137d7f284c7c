/** What becomes of a file of somebody else's that something of ours is put into, or taken out of. */

export type EditedFile =
  | { readonly kind: 'new' | 'changed'; readonly text: string }
  /** Ours is in it already. */
  | { readonly kind: 'present' }
  /** Nothing of ours is in it. */
  | { readonly kind: 'absent' }
  /** Nothing but ours was in it. */
  | { readonly kind: 'emptied' }
  | { readonly kind: 'kept'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string }
