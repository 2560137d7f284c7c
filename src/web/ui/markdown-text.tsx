/** The late part of `markdown.tsx`: the parser and the sanitiser. */
import Markdown, { type Components } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { visibleText } from '../../model/visible-text.ts'
import styles from './markdown.module.css'
import { showsAll } from './shows-all.ts'

/** No picture is fetched for an agent, and no box of it can be ticked. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => !['img', 'input', 'picture', 'source'].includes(name),
  ),
  protocols: { href: ['http', 'https', 'mailto'] },
}

const COMPONENTS: Components = {
  a: ({ href = '', children }) => (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {children}
      </a>
      <span className={styles.target}> ({placeOf(href)})</span>
    </>
  ),
}

export default function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown}>
      <Markdown
        remarkPlugins={[remarkGfm, showsAll]}
        rehypePlugins={[[rehypeSanitize, SCHEMA]]}
        components={COMPONENTS}
      >
        {visibleText(text)}
      </Markdown>
    </div>
  )
}

/** Where it leads, whatever it says it is. */
function placeOf(href: string): string {
  try {
    const { protocol, host, pathname } = new URL(href)
    return protocol === 'mailto:' ? pathname : host
  } catch {
    return 'leads nowhere'
  }
}
