/** What changed, as `git diff` tells it. Comes late; until then as plain text. */
import { lazy, Suspense } from 'react'
import { PlainText } from './plain-text.tsx'

const DiffText = lazy(() => import('./diff-text.tsx'))

export function DiffView({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <DiffText text={text} />
    </Suspense>
  )
}
