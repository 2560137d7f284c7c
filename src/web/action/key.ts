/** Which action a key means. */
import { isAvailable, type UserAction } from './action.ts'

/** What a keyboard event says, and nothing of the page it comes from. */
export interface Pressed {
  readonly key: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  /** Whether a text is being typed: then only chords and Escape are meant for the page. */
  readonly isTyping: boolean
}

/** The latest that was offered comes first: what stands before the rest takes the key. */
export function actionFor(pressed: Pressed, actions: readonly UserAction[]): UserAction | null {
  const chord = chordOf(pressed)
  if (chord === null) return null
  const isForPage = !pressed.isTyping || chord.includes('+') || chord === 'Escape'
  if (!isForPage) return null
  return actions.findLast((action) => isAvailable(action) && action.keys.includes(chord)) ?? null
}

function chordOf({ key, metaKey, ctrlKey, altKey }: Pressed): string | null {
  if (altKey) return null
  if (!metaKey && !ctrlKey) return key
  return `mod+${key.toLowerCase()}`
}
