/**
 * A map of the tree while it is being filled. Blocks and objects may add to one map from several places
 * (`on = { … }` and `on "timeout" { … }`), so the map stays open until the file is read; a key that would be set
 * twice is reported and the first one stands.
 */
import type { Position } from '../../model/diagnostic.ts'
import { type Entry, type MapTree, type Tree, under } from '../tree.ts'
import { givenTwice } from './names.ts'
import type { Problems } from './problems.ts'

interface Key {
  readonly key: string
  /** Where the key stands. */
  readonly at: Position
  /** Where what it holds begins. */
  readonly from: Position
}

export interface MapDraft {
  readonly tree: MapTree
  readonly problems: Problems
  has(key: string): boolean
  put(entry: Entry): void
  /** The map under this key, begun by whoever asks first. */
  section(key: Key): MapDraft
  /** A map under this key that is nobody else's. */
  fresh(key: Key): MapDraft
  /** One more map in the list under this key. */
  item(key: Key): MapDraft
  /** The map under this key, if one was begun. */
  child(key: string): MapDraft | undefined
}

export interface DraftPlace {
  readonly at: Position
  readonly path: string
}

export function createDraft(place: DraftPlace, problems: Problems): MapDraft {
  const entries: Entry[] = []
  const lines = new Map<string, number>()
  const children = new Map<string, MapDraft>()
  const lists = new Map<string, Tree[]>()

  const put = (entry: Entry): void => {
    const { key, at } = entry
    const before = lines.get(key)
    if (before === undefined) {
      lines.set(key, at.line)
      entries.push(entry)
    } else {
      problems.add(givenTwice({ name: key, at, path: under(place.path, key), firstLine: before }))
    }
  }

  const fresh = ({ key, at, from }: Key): MapDraft => {
    const child = createDraft({ at: from, path: under(place.path, key) }, problems)
    if (!lines.has(key)) children.set(key, child)
    put({ key, at, value: child.tree })
    return child
  }

  const item = ({ key, at, from }: Key): MapDraft => {
    const path = under(place.path, key)
    const items = lists.get(key) ?? []
    if (!lists.has(key)) {
      lists.set(key, items)
      put({ key, at, value: { kind: 'list', at: from, path, items } })
    }
    const child = createDraft({ at: from, path: under(path, items.length) }, problems)
    items.push(child.tree)
    return child
  }

  return {
    tree: { kind: 'map', ...place, entries },
    problems,
    has: (key) => lines.has(key),
    put,
    section: (key) => children.get(key.key) ?? fresh(key),
    fresh,
    item,
    child: (key) => children.get(key),
  }
}
