/**
 * What every part of the compiler needs to know of the one runbook it is reading: the declared names, where to
 * report, and the two side tables that the checks read afterwards (where things stand, and which look-ups are
 * used at which step).
 */

import type { Handoff } from '../../model/contract.ts'
import type { Diagnostic, Position } from '../../model/diagnostic.ts'
import { didYouMean } from '../../model/nearest.ts'
import type { DecisionTemplate, Program } from '../../model/program.ts'
import type { Template } from '../../model/template.ts'
import { type Parsed, parseCommand, parseText } from '../interpolation.ts'
import type { Report } from '../report.ts'
import { brief } from '../shape.ts'
import { childOf, entriesOf, type Tree } from '../tree.ts'

export interface Spot {
  readonly at: Position
  readonly path: string
}

/** Whose text it is: an agent's goes along to every step that the agent works at. */
export type Owner =
  | { readonly kind: 'agent'; readonly agent: string }
  /** `hasAgent`: whether `${agent.*}` means something here. */
  | { readonly kind: 'step'; readonly step: string; readonly hasAgent: boolean }

export interface Use {
  readonly owner: Owner
  readonly template: Template
  readonly kind: 'text' | 'command'
  readonly spot: Spot
}

export type FileRead =
  | { readonly kind: 'text'; readonly text: string; readonly file: string }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Reads a file that a runbook names, relative to the runbook. */
export type ReadFile = (path: string, from: string) => FileRead

/** The pieces of an inlined flow, to be merged into the program around it. */
export type Inlined = Pick<Program, 'steps' | 'agents' | 'budgets' | 'templates' | 'handoffs'>

export interface Scope {
  readonly report: Report
  readonly root: Tree
  readonly readFile: ReadFile
  /** The runbooks being compiled around this one, outermost first. */
  readonly within: readonly string[]
  readonly steps: ReadonlySet<string>
  readonly ends: ReadonlySet<string>
  readonly budgets: ReadonlySet<string>
  readonly vars: ReadonlySet<string>
  readonly templates: Readonly<Record<string, DecisionTemplate>>
  readonly handoffs: Readonly<Record<string, Handoff>>
  readonly unattended: boolean
  /** Compiles a runbook that stands in this one. */
  readonly compileChild: (source: { readonly file: string; readonly text: string }) => {
    readonly program: Program | null
    readonly diagnostics: readonly Diagnostic[]
  }
  readonly inlined: Map<string, Inlined>
  readonly spots: Map<string, Spot>
  readonly uses: Use[]
}

export const BUILT_IN_ENDS = ['done', 'abandoned']
export const RESERVED_TARGETS = ['ask', 'retry']

export const spotOf = (tree: Tree): Spot => ({ at: tree.at, path: tree.path })

export function namesIn(root: Tree, key: string): Set<string> {
  return new Set(entriesOf(childOf(root, key)).map((entry) => entry.key))
}

export function unknown(
  scope: Scope,
  code: string,
  given: Tree,
  noun: string,
  name: string,
  known: Iterable<string>,
) {
  scope.report.add({
    code,
    ...spotOf(given),
    message: `There is no ${noun} "${brief(name)}".`,
    help: didYouMean(name, known),
  })
}

/** Text with look-ups at a step: parsed, its problems reported, its uses noted for the checks. */
export function textAt(scope: Scope, tree: Tree, text: string, owner: Owner): Template {
  return noted(scope, tree, parseText(text), { owner, kind: 'text' })
}

export function commandAt(scope: Scope, tree: Tree, text: string, owner: Owner): Template {
  return noted(scope, tree, parseCommand(text), { owner, kind: 'command' })
}

function noted(
  scope: Scope,
  tree: Tree,
  parsed: Parsed,
  use: Pick<Use, 'owner' | 'kind'>,
  where = '',
): Template {
  for (const problem of parsed.problems)
    scope.report.add({ ...problem, ...spotOf(tree), message: where + problem.message })
  scope.uses.push({ ...use, template: parsed.template, spot: spotOf(tree) })
  return parsed.template
}

const PATH = /^[^\s$]+\.(?:md|txt)$/

/** A prompt: the text itself, or what is in the `.md` or `.txt` file it names. Captured now, not when a run starts. */
export function promptAt(scope: Scope, tree: Tree, text: string, owner: Owner): Template {
  if (!PATH.test(text)) return textAt(scope, tree, text, owner)
  const file = scope.readFile(text, scope.report.file)
  if (file.kind === 'text')
    return noted(scope, tree, parseText(file.text), { owner, kind: 'text' }, `In ${text}: `)
  scope.report.add({
    code: 'missing-file',
    ...spotOf(tree),
    message: `The prompt file ${text} ${file.why}.`,
    help: 'Paths are relative to the runbook. Write the file, or write the prompt itself here.',
  })
  return []
}
