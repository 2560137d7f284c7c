/**
 * The one shape that YAML, HCL and TypeScript runbooks are read into before anything looks at their meaning:
 * maps that keep their order, lists and scalars, each knowing where it stands. Nothing after this page knows
 * which syntax a runbook was written in.
 */
import type { Position } from '../model/diagnostic.ts'

interface Node {
  readonly at: Position
  /** Dotted path from the root: `steps.review.options.reject`. */
  readonly path: string
}

export interface ScalarTree extends Node {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  /** As it was written, where the value alone would be shown otherwise: 0o17, 1e3, 1.10. */
  readonly written?: string
  /** Where each `${` of a text stands; left out where that is where the text begins, or not known. */
  readonly lookUps?: readonly Position[]
}

export interface ListTree extends Node {
  readonly kind: 'list'
  readonly items: readonly Tree[]
}

export interface Entry {
  readonly key: string
  readonly at: Position
  readonly value: Tree
}

export interface MapTree extends Node {
  readonly kind: 'map'
  readonly entries: readonly Entry[]
}

export type Tree = ScalarTree | ListTree | MapTree

export const entryOf = (tree: Tree | undefined, key: string): Entry | undefined =>
  tree?.kind === 'map' ? tree.entries.find((entry) => entry.key === key) : undefined

export const childOf = (tree: Tree | undefined, key: string): Tree | undefined => entryOf(tree, key)?.value

export const entriesOf = (tree: Tree | undefined): readonly Entry[] =>
  tree?.kind === 'map' ? tree.entries : []

export const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : [])

export const textOf = (tree: Tree | undefined): string | undefined =>
  tree?.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined

export const numberOf = (tree: Tree | undefined): number | undefined =>
  tree?.kind === 'scalar' && typeof tree.value === 'number' ? tree.value : undefined

/** A scalar as its author wrote it; null for what is no scalar, or nothing. */
export const writtenOf = (tree: Tree | undefined): string | null =>
  tree?.kind === 'scalar' && tree.value !== null ? (tree.written ?? String(tree.value)) : null

export const booleanOf = (tree: Tree | undefined): boolean | undefined =>
  tree?.kind === 'scalar' && typeof tree.value === 'boolean' ? tree.value : undefined

export const under = (path: string, key: string | number): string =>
  path === '' ? `${key}` : `${path}.${key}`

/** The plain value, positions forgotten. */
export function plainValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'list') return tree.items.map(plainValue)
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plainValue(value)]))
}
