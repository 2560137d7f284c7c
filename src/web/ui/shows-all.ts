/**
 * Markdown that hides nothing: tags, remarks, definitions, pictures and footnotes without a mark stand there as they were
 * written. A page would leave them out, and a person would decide on a text of which they saw a part.
 */

interface Node {
  readonly type: string
  readonly children?: Node[]
  readonly position?: { readonly start: Place; readonly end: Place }
}

interface Place {
  readonly offset?: number
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  'html',
  'definition',
  'image',
  'imageReference',
  'footnoteDefinition',
  'footnoteReference',
])

/** A plugin of remark: it gets the tree and the text that it was made of. */
export const showsAll =
  () =>
  (tree: Node, file: { readonly value: unknown }): void => {
    const source = String(file.value)
    const shown = (node: Node, isInText: boolean): Node => {
      if (!LEFT_OUT.has(node.type)) {
        const isText = isInText || HOLDS_TEXT.has(node.type)
        return node.children === undefined
          ? node
          : { ...node, children: node.children.map((child) => shown(child, isText)) }
      }
      const { start, end } = node.position ?? { start: {}, end: {} }
      const text = { type: 'text', value: source.slice(start.offset ?? 0, end.offset ?? 0) }
      return isInText ? text : { type: 'paragraph', children: [text] }
    }
    const children = tree.children ?? []
    children.splice(0, children.length, ...children.map((child) => shown(child, false)))
  }

const HOLDS_TEXT: ReadonlySet<string> = new Set(['paragraph', 'heading', 'tableCell'])
