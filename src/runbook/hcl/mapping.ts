/**
 * How the parts of a body become keys of the tree: which attributes have another name there, and which blocks
 * gather under one key (`option "a" { … }` under `options.a`). Whatever is not named here keeps its own name, known
 * or not, so that the check of the tree judges HCL and YAML by the same rule.
 */
import type { Position } from '../../model/diagnostic.ts'
import { type Entry, type Tree, under } from '../tree.ts'
import type { MapDraft } from './draft.ts'
import type { Problems } from './problems.ts'
import type { Attribute, Block, BodyPart, Expression } from './syntax.ts'

export interface Mapping {
  /** The key of an attribute that is called otherwise in the tree. */
  readonly renames?: ReadonlyMap<string, string>
  /** The key under which blocks of a type gather by their name. */
  readonly gathers?: ReadonlyMap<string, string>
  /** Blocks of these types become items of a list. */
  readonly lists?: ReadonlySet<string>
  /** The mapping of the map under a key. */
  readonly inside?: ReadonlyMap<string, Mapping>
  /** The mapping of every map in this one. */
  readonly every?: Mapping
}

const PLAIN: Mapping = {}
const SAID: Mapping = { renames: new Map([['description', 'say']]) }
const MANY_SAID: Mapping = { every: SAID }

const TEMPLATE: Mapping = {
  gathers: new Map([['option', 'options']]),
  inside: new Map([['options', MANY_SAID]]),
}

const HANDOFF: Mapping = {
  gathers: new Map([['field', 'fields']]),
  inside: new Map([['fields', MANY_SAID]]),
}

/** `reroute { … }` may stand there several times. */
const DEADLINE: Mapping = { lists: new Set(['reroute']) }

export const STEP: Mapping = {
  renames: new Map([
    ['description', 'say'],
    ['decision', 'decide'],
  ]),
  gathers: new Map([
    ['option', 'options'],
    ['field', 'fields'],
  ]),
  lists: new Set(['when']),
  inside: new Map([
    ['options', MANY_SAID],
    ['fields', MANY_SAID],
    ['deadline', DEADLINE],
  ]),
}

export const RUN: Mapping = { ...STEP, renames: new Map([['job', 'flow']]) }

export const DECISION: Mapping = {
  ...STEP,
  renames: new Map([
    ['description', 'say'],
    ['prompt', 'decide'],
  ]),
}

export const FLOW: Mapping = {
  gathers: new Map([
    ['agent', 'agents'],
    ['decision_template', 'templates'],
    ['handoff', 'handoffs'],
    ['end', 'ends'],
    ['var', 'vars'],
    ['variable', 'vars'],
  ]),
  inside: new Map([
    ['templates', { every: TEMPLATE }],
    ['handoffs', { every: HANDOFF }],
    ['ends', MANY_SAID],
    ['vars', MANY_SAID],
    ['deadline', DEADLINE],
  ]),
}

/** A map being filled, and how what comes into it is read. */
export interface OpenMap {
  readonly draft: MapDraft
  readonly mapping: Mapping
}

export function addPart(place: OpenMap, part: BodyPart): void {
  if (part.kind === 'attribute') addAttribute(place, part)
  else addBlock(place, part)
}

function addParts(place: OpenMap, parts: readonly BodyPart[]): void {
  for (const part of parts) addPart(place, part)
}

function addAttribute({ draft, mapping }: OpenMap, { name, at, value }: Attribute): void {
  if (mapping.gathers?.has(name) === true && value.kind !== 'object') {
    const label = value.kind === 'literal' && typeof value.value === 'string' ? value.value : 'NAME'
    const message = `${name} is a block with a name of its own.`
    draft.problems.syntax({
      at,
      message,
      help: `Write ${name} "${value.kind === 'literal' ? (value.word ?? label) : label}" { … }.`,
    })
    return
  }
  const key = mapping.renames?.get(name) ?? name
  if (value.kind === 'object') {
    const section = draft.section({ key, at, from: value.at })
    addParts({ draft: section, mapping: mappingUnder(mapping, key) }, value.fields)
  } else draft.put({ key, at, value: treeOf(value, under(draft.tree.path, key), draft.problems) })
}

function addBlock({ draft, mapping }: OpenMap, block: Block): void {
  const { type, at, labels, body } = block
  if (mapping.lists?.has(type) === true) {
    const item = isNameless(block, draft.problems) ? draft.item({ key: type, at, from: at }) : undefined
    if (item !== undefined) addParts({ draft: item, mapping: PLAIN }, body)
    return
  }
  const gathering = mapping.gathers?.get(type)
  if (gathering !== undefined && !isNamed(block, draft.problems)) return
  const keys = [{ text: gathering ?? type, at }, ...labels]
  let place = { draft, mapping }
  for (const [index, label] of keys.entries()) {
    const key = { key: label.text, at: label.at, from: at }
    const isLast = index === keys.length - 1
    place = {
      draft: isLast ? place.draft.fresh(key) : place.draft.section(key),
      mapping: mappingUnder(place.mapping, key.key),
    }
  }
  addParts(place, body)
}

const mappingUnder = (mapping: Mapping, key: string): Mapping =>
  mapping.every ?? mapping.inside?.get(key) ?? PLAIN

export function isNamed({ type, at, labels }: Block, problems: Problems): boolean {
  if (labels.length === 1) return true
  const message = `A block ${type} has one name: write ${type} "NAME" { … }.`
  problems.syntax({ at: labels[1]?.at ?? at, message })
  return false
}

export function isNameless({ type, labels }: Block, problems: Problems): boolean {
  const label = labels[0]
  if (label === undefined) return true
  problems.syntax({ at: label.at, message: `A block ${type} has no name: write ${type} { … }.` })
  return false
}

function treeOf(value: Expression, path: string, problems: Problems): Tree {
  const { at } = value
  switch (value.kind) {
    case 'literal':
      if (value.word !== undefined) refuseWord(value.word, at, problems)
      return {
        kind: 'scalar',
        at,
        path,
        value: value.value,
        ...(value.written === undefined ? {} : { written: value.written }),
        ...(value.lookUps === undefined ? {} : { lookUps: value.lookUps }),
      }
    case 'list':
      return {
        kind: 'list',
        at,
        path,
        items: value.items.map((item, i) => treeOf(item, under(path, i), problems)),
      }
    case 'object':
      return { kind: 'map', at, path, entries: value.fields.map((field) => entryOf(field, path, problems)) }
  }
}

const entryOf = ({ name, at, value }: Attribute, path: string, problems: Problems): Entry => ({
  key: name,
  at,
  value: treeOf(value, under(path, name), problems),
})

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
])

export function refuseWord(word: string, at: Position, problems: Problems): void {
  const message = `${word} stands without quotes, and is no look-up either.`
  const truth = TRUTH.get(word.toLowerCase())
  const help =
    truth === undefined
      ? `Write "${word}". A look-up has a dot or brackets: var.${word}.`
      : `Write ${truth}, or "${word}" if it is a text.`
  problems.syntax({ at, message, help })
}
