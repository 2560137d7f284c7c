/**
 * YAML → Tree. The library's own conversion is not used: it loses positions, expands aliases without a limit and
 * checks keys in quadratic time. Nesting is measured on the token tree first, because composing recurses.
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Scalar,
  type Node as YamlNode,
} from 'yaml'
import type { Position } from '../../model/diagnostic.ts'
import { lookUpPlaces } from '../look-up-places.ts'
import type { Report } from '../report.ts'
import { type Entry, type ScalarTree, type Tree, under } from '../tree.ts'
import { yamlTroubles } from './trouble.ts'

const DEEPEST = 48
const MOST_NODES = 100_000

export function readYaml(text: string, report: Report): Tree | null {
  const lines = new LineCounter()
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const tooDeep = tokens.map(deeperThanAllowed).find((offset) => offset !== null)
  if (tooDeep !== undefined && tooDeep !== null) {
    report.add({
      code: 'too-deep',
      at: position(tooDeep),
      path: '',
      message: `Nested more than ${DEEPEST} levels deep.`,
      help: 'A runbook needs fewer than ten.',
    })
    return null
  }

  const documents = [...new Composer({ uniqueKeys: false, logLevel: 'silent' }).compose(tokens)]
  const [document, second] = documents
  if (document === undefined) return { kind: 'scalar', value: null, at: { line: 1, column: 1 }, path: '' }
  for (const trouble of yamlTroubles(text, tokens, [...document.errors, ...document.warnings]))
    report.add({
      code: 'yaml-syntax',
      at: position(trouble.offset),
      path: '',
      message: trouble.message,
      help: trouble.help,
    })
  if (second !== undefined)
    report.add({
      code: 'yaml-syntax',
      at: position(second.range[0]),
      path: '',
      message: 'A second document begins here.',
      help: 'One file is one flow: remove the `---`, or move what follows into a file of its own.',
    })
  if (document.errors.length > 0) return null
  return convert(document, { text, position, report })
}

/** The offset of the first token below the deepest allowed level, walking without recursion. */
function deeperThanAllowed(token: CST.Token): number | null {
  const open: [CST.Token, number][] = [[token, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, depth] = next
    if (depth > DEEPEST) return current.offset
    if (current.type === 'document' && current.value !== undefined) open.push([current.value, depth])
    if ('items' in current)
      for (const item of current.items) {
        if (item.key !== undefined && item.key !== null) open.push([item.key, depth + 1])
        if (item.value !== undefined) open.push([item.value, depth + 1])
      }
  }
  return null
}

interface Conversion {
  readonly text: string
  readonly position: (offset: number) => Position
  readonly report: Report
}

function convert(document: Document.Parsed, { text, position, report }: Conversion): Tree | null {
  let nodes = 0
  // What is missing would be blamed on the author again.
  let gaps = false
  // The library's own `resolve` walks the whole document for every alias.
  const anchors = new Map<string, YamlNode>()
  const start = { line: 1, column: 1 }
  const none = (path: string, at: Position): Tree => ({ kind: 'scalar', value: null, at, path })

  function visit(node: YamlNode | null | undefined, path: string, near: Position, depth: number): Tree {
    nodes++
    if (node === null || node === undefined) return none(path, near)
    const at = node.range ? position(node.range[0]) : near
    if (nodes > MOST_NODES || depth > DEEPEST) return none(path, at)
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target !== undefined) return visit(target, path, at, depth + 1)
      gaps = true
      report.add({
        code: 'yaml-syntax',
        at,
        path,
        message: `There is no anchor "&${node.source}" before this alias.`,
        help: `Write the anchor first, or repeat the value. A text that begins with * stands in quotes: "*${node.source}".`,
      })
      return none(path, at)
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isSeq(node))
      return {
        kind: 'list',
        at,
        path,
        items: node.items.map((item, index) => visit(item as YamlNode, under(path, index), at, depth + 1)),
      }
    if (isMap(node)) return { kind: 'map', at, path, entries: entries(node.items, path, at, depth) }
    if (isScalar(node)) {
      if (node.tag === '!') refuseTag(at, path)
      return { kind: 'scalar', at, path, ...scalar(node) }
    }
    return none(path, at)
  }

  /** `! grep x`: to YAML the sign is no part of the text, and the command would mean the opposite. */
  function refuseTag(at: Position, path: string): void {
    report.add({
      code: 'yaml-syntax',
      at,
      path,
      message: 'The ! before this is no part of the text unless it stands in quotes.',
      help: 'Quote the whole text.',
    })
  }

  function scalar(node: Scalar): Pick<ScalarTree, 'value' | 'written' | 'lookUps'> {
    const value = plain(node.value, node.source)
    const { source, range } = node
    if (typeof value === 'number' && source !== undefined && source !== `${value}`)
      return { value, written: source }
    if (typeof value !== 'string' || range == null || !value.includes('${')) return { value }
    const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
    // A comment may stand beside the sign that begins a block.
    const start = isBlock ? text.indexOf('\n', range[0]) : range[0]
    const places = lookUpPlaces(value, text, { start, end: range[1] })
    return places === null ? { value } : { value, lookUps: places.map(position) }
  }

  function entries(
    pairs: readonly { key: unknown; value: unknown }[],
    path: string,
    near: Position,
    depth: number,
  ) {
    const seen = new Map<string, Position>()
    const result: Entry[] = []
    for (const pair of pairs) {
      const key = pair.key as YamlNode | null
      const at = key?.range ? position(key.range[0]) : near
      if (!isScalar(key)) {
        report.add({
          code: 'yaml-syntax',
          at,
          path,
          message: 'A key should be plain text.',
          help: 'Quote it if it begins with a sign.',
        })
        continue
      }
      if (key.value === null) {
        report.add({
          code: 'yaml-syntax',
          at,
          path,
          message: 'A key is missing.',
          help: 'Write its name before the colon.',
        })
        continue
      }
      const name = String(plain(key.value, key.source))
      if (name === '<<' && key.type === 'PLAIN') {
        gaps = true
        report.add({
          code: 'yaml-syntax',
          at,
          path,
          message: 'Maps are not merged here: `<<` is no part of YAML 1.2.',
          help: 'Write the keys out, or take the whole map over: `key: *anchor`.',
        })
        continue
      }
      const first = seen.get(name)
      if (first !== undefined) {
        report.add({
          code: 'duplicate-key',
          at,
          path: under(path, name),
          message: `\`${name}\` stands here a second time; the first is on line ${first.line}.`,
          help: 'Keep one of them.',
        })
        continue
      }
      seen.set(name, at)
      result.push({
        key: name,
        at,
        value: visit(pair.value as YamlNode | null, under(path, name), at, depth + 1),
      })
    }
    return result
  }

  const tree = visit(document.contents as YamlNode | null, '', start, 0)
  if (nodes > MOST_NODES) {
    report.add({
      code: 'too-large',
      at: start,
      path: '',
      message: `With its aliases written out, the file has more than ${MOST_NODES.toLocaleString('en')} values.`,
      help: 'Use fewer aliases of aliases.',
    })
    return null
  }
  return gaps ? null : tree
}

/** What YAML calls a date, a big number or a binary is its own text to us. */
function plain(value: unknown, source: string | undefined): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return source ?? (typeof value === 'bigint' || typeof value === 'number' ? value.toString() : '')
}
