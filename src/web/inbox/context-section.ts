/** The texts of a card as sections: each named one, and what stands under the second-level headings of an agent's Markdown. */

export interface ContextSection {
  readonly name: string
  readonly text: string
  readonly form: 'diff' | 'markdown' | 'output'
}

/** An agent's own context is Markdown; what commands printed stands as it is. */
export function sectionsOf(
  context: Readonly<Record<string, string>>,
  isAgents: 'agents' | 'commands',
): { readonly lead: string; readonly sections: readonly ContextSection[] } {
  const sections: ContextSection[] = []
  let lead = ''
  for (const [name, text] of Object.entries(context)) {
    if (text.trim() === '') continue
    if (isAgents === 'agents' && name === 'context') {
      const cut = cutAtHeadings(text)
      lead = cut.lead
      sections.push(...cut.sections)
    } else sections.push({ name, text, form: formOf(text, isAgents) })
  }
  return { lead, sections }
}

const formOf = (text: string, isAgents: 'agents' | 'commands'): ContextSection['form'] => {
  if (/^diff --git |^--- .+\n\+\+\+ /m.test(text)) return 'diff'
  return isAgents === 'agents' ? 'markdown' : 'output'
}

/** Headings in a fenced block are part of it. */
function cutAtHeadings(text: string): {
  readonly lead: string
  readonly sections: readonly ContextSection[]
} {
  const lead: string[] = []
  const sections: { name: string; lines: string[] }[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === null ? mark[0]! : mark.startsWith(fence) ? null : fence
    const heading = fence === null ? /^##\s+(.+?)\s*#*$/.exec(line)?.[1] : undefined
    if (heading !== undefined) sections.push({ name: heading, lines: [] })
    else (sections.at(-1)?.lines ?? lead).push(line)
  }
  return {
    lead: lead.join('\n').trim(),
    sections: sections.map(({ name, lines }) => ({ name, text: lines.join('\n').trim(), form: 'markdown' })),
  }
}
