/** A key as it stands on a keyboard. */
import styles from './kbd.module.css'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

const NAMES: Readonly<Record<string, string>> = {
  mod: IS_MAC ? '⌘' : 'Ctrl',
  enter: 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
}

export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className={styles.kbd}>{keyText(keys)}</kbd>
}

/** `mod+k` → `⌘K`. A capital letter is pressed with Shift and stands as such. */
export function keyText(keys: string): string {
  // The plus that joins a chord stands behind something.
  const parts = keys.split(/(?<=.)\+/).map((part) => NAMES[part.toLowerCase()] ?? part)
  const last = parts.at(-1) ?? ''
  const isChord = parts.length > 1
  return [...parts.slice(0, -1), isChord && last.length === 1 ? last.toUpperCase() : last].join(
    isChord && !IS_MAC ? ' ' : '',
  )
}
