/** What a program printed for a terminal: its colours, and nothing else of what it asked the terminal to do. */
import Anser, { type AnserJsonEntry } from 'anser'
import styles from './plain-text.module.css'
import { SafeText } from './safe-text.tsx'

export function AnsiText({ text }: { readonly text: string }) {
  return (
    <pre className={styles.plain}>
      {partsIn(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
        <span key={index} className={classesOf(part)}>
          <SafeText text={part.content} />
        </span>
      ))}
    </pre>
  )
}

const partsIn = (text: string): readonly AnserJsonEntry[] =>
  Anser.ansiToJson(text, { use_classes: true, remove_empty: true })

const COLOURS: Readonly<Record<string, keyof typeof styles>> = {
  red: 'red',
  green: 'green',
  yellow: 'yellow',
  blue: 'blue',
  cyan: 'blue',
  magenta: 'blue',
}

/** Two colours of a terminal may be one here: all that must be told apart is. */
function classesOf({ fg, decorations }: AnserJsonEntry): string {
  const colour = COLOURS[(fg ?? '').replace(/^ansi-(?:bright-)?/, '')]
  return [
    ...(colour === undefined ? [] : [styles[colour]]),
    ...(decorations?.includes('bold') ? [styles['bold']] : []),
    ...(decorations?.includes('dim') ? [styles['dim']] : []),
  ].join(' ')
}
