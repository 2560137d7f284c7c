/** The texts of a card, folded: whoever needs one opens it in place. */
import { AnsiText } from '../ui/ansi.tsx'
import { DiffView } from '../ui/diff.tsx'
import { SafeMarkdown } from '../ui/markdown.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './card.module.css'
import type { ContextSection } from './context-section.ts'

/** What is short needs no folding. */
const SHORT = 600
const FEW = 2

export function ContextSections({ sections }: { readonly sections: readonly ContextSection[] }) {
  if (sections.length === 0) return null
  return (
    <div className={styles.sections}>
      {sections.map((section) => (
        <details
          key={section.name}
          className={styles.section}
          open={sections.length <= FEW && section.text.length < SHORT}
        >
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
