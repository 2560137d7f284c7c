/** One more item for a list in a YAML text; everything else stays, comments included. */
import { Document, isMap, isPair, isSeq, parseDocument, type YAMLMap } from 'yaml'

export interface ListItem {
  /** The list's key at the top of the document. It is made where it is missing. */
  readonly key: string
  readonly item: Readonly<Record<string, unknown>>
  /** Stands above the item. */
  readonly comment: string
}

/** No folding: a path or a pattern is easier to read in one piece. */
const AS_WRITTEN = { lineWidth: 0, flowCollectionPadding: true } as const

/** Null where the text is not YAML, or has something other than a list there. */
export function appendItem(text: string, { key, item, comment }: ListItem): string | null {
  const document = parseDocument(text)
  if (document.errors.length > 0) return null
  const { contents } = document
  if (contents === null) {
    const fresh = new Document({ [key]: [] })
    addTo(fresh, { key, item, comment })
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fresh.toString(AS_WRITTEN)}`
  }
  if (!isMap(contents)) return null
  const found = contents.get(key) ?? null
  if (found === null) document.set(key, document.createNode([]))
  else if (!isSeq(found)) return null
  addTo(document, { key, item, comment })
  return document.toString(AS_WRITTEN)
}

function addTo(document: Document, { key, item, comment }: ListItem): void {
  const node = document.createNode(item) as YAMLMap
  // What an item is made of stands on lines; what these hold, on one line each where it can be read so.
  for (const { value } of node.items) fold(value)
  node.commentBefore = comment === '' ? null : comment.replaceAll(/^/gm, ' ')
  const list = document.get(key)
  if (isSeq(list) && list.flow === true && list.items.length === 0) list.flow = false
  node.spaceBefore = isSeq(list) && list.items.length > 0
  document.addIn([key], node)
}

const LONGEST_LINE = 160

function fold(node: unknown): void {
  if (!isMap(node) && !isSeq(node)) return
  node.flow = JSON.stringify(node).length <= LONGEST_LINE
  if (!node.flow) for (const item of node.items) fold(isPair(item) ? item.value : item)
}
