/** The texts of a card, unfolded: what a person decides on is in front of them. Each can be folded. */
import { AnsiText } from '../ui/ansi.tsx'
import { DiffView } from '../ui/diff.tsx'
import { SafeMarkdown } from '../ui/markdown.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './card.module.css'
import type { ContextSection } from './context-section.ts'

export function ContextSections({ sections }: { readonly sections: readonly ContextSection[] }) {
  if (sections.length === 0) return null
  return (
    <div className={styles.sections}>
      {sections.map((section) => (
        <details key={section.name} className={styles.section} open>
          <summary>
            <SafeText text={section.name} />
          </summary>
          <SectionText section={section} />
        </details>
      ))}
    </div>
  )
}

function SectionText({ section: { text, form } }: { readonly section: ContextSection }) {
  switch (form) {
    case 'diff':
      return <DiffView text={text} />
    case 'markdown':
      return <SafeMarkdown text={text} />
    case 'output':
      return <AnsiText text={text.trimEnd()} />
  }
}
