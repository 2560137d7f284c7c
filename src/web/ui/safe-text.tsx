/** A text that somebody else wrote, as text and nothing else; what cannot be seen in it is named. */
import { partsOf } from '../../model/visible-text.ts'
import styles from './safe-text.module.css'

export function SafeText({ text }: { readonly text: string }) {
  const parts = partsOf(text)
  if (parts.length === 1 && parts[0]?.isUnseen === false) return <>{text}</>
  return (
    <bdi>
      {parts.map((part, index) =>
        part.isUnseen ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
          <span key={index} className={styles.odd} title="An invisible character">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  )
}
