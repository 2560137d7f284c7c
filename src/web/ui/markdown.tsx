/** What an agent wrote, as Markdown: it can run nothing, load nothing and lead nowhere unseen. Comes late; until then as plain text. */
import { lazy, Suspense } from 'react'
import { PlainText } from './plain-text.tsx'
import { SafeText } from './safe-text.tsx'

const MarkdownText = lazy(() => import('./markdown-text.tsx'))

export function SafeMarkdown({ text }: { readonly text: string }) {
  // Most texts are one plain sentence, and need no parser.
  if (!/[\n`*_#[<>|]|https?:/.test(text))
    return (
      <p>
        <SafeText text={text} />
      </p>
    )
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <MarkdownText text={text} />
    </Suspense>
  )
}
