/** A sentence of the host's, in which what stands between backticks is to be typed. */
import { SafeText } from '../ui/safe-text.tsx'

export function Sentence({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never change places
      <code key={index}>
        <SafeText text={part} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <SafeText key={index} text={part} />
    ),
  )
}
