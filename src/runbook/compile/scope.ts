/**
 * What every part of the compiler needs to know of the one runbook it is reading: the declared names, where to
 * report, and the two side tables that the checks read afterwards (where things stand, and which look-ups are
 * used at which step).
 */

import type { Handoff } from '../../model/contract.ts'
import type { Diagnostic, Position } from '../../model/diagnostic.ts'
import { didYouMean } from '../../model/nearest.ts'
import type { DecisionTemplate, Program, Step } from '../../model/program.ts'
import type { ProjectCommand } from '../../model/project-command.ts'
import type { Template } from '../../model/template.ts'
import { type ParsedText, parseCommand, parseText } from '../interpolation.ts'
import { brief } from '../language/shape.ts'
import { createLines } from '../lines.ts'
import { lookUpOffsets } from '../look-up-places.ts'
import type { Report } from '../report.ts'
import { childOf, entriesOf, type Tree, textOf } from '../tree.ts'
import type { TemplateTree } from './template-tree.ts'

export interface Spot {
  /** Another file than the runbook: a prompt that it names. */
  readonly file?: string
  readonly at: Position
  readonly path: string
}

/** Whose text it is: an agent's goes along to every step that the agent works at. */
export type Owner =
  | { readonly kind: 'agent'; readonly agent: string }
  /** `hasAgent`: whether `${agent.*}` means something here. */
  | { readonly kind: 'step'; readonly step: string; readonly hasAgent: boolean }

export interface TemplateUse {
  readonly owner: Owner
  readonly template: Template
  /** `grant`: what an agent may write. */
  readonly kind: 'text' | 'command' | 'grant'
  /** Where each look-up of the template stands. */
  readonly spots: readonly Spot[]
}

export type FileRead =
  | { readonly kind: 'text'; readonly text: string; readonly file: string }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Reads a file that a runbook names, relative to the runbook. */
export type ReadFile = (path: string, from: string) => FileRead

/** The project that a runbook would run in. */
export interface KnownProject {
  /** Those of its own commands that are known. */
  readonly commands: ReadonlySet<ProjectCommand>
}

/** The pieces of an inlined flow, to be merged into the program around it. */
export type Inlined = Pick<Program, 'agents' | 'budgets' | 'handoffs'> &
  Required<Pick<Program, 'restarts'>> & { readonly steps: readonly Step[] }

/** A count that several routes share. */
export interface Counter {
  readonly times: number
  /** Where it stands in the runbook that it starts again at this step; null where only a new pass does that. */
  readonly per: string | null
}

export interface Scope {
  readonly report: Report
  readonly root: Tree
  readonly readFile: ReadFile
  /** The runbooks being compiled around this one, outermost first. */
  readonly within: readonly string[]
  readonly steps: ReadonlySet<string>
  readonly ends: ReadonlySet<string>
  readonly budgets: ReadonlySet<string>
  readonly counters: Readonly<Record<string, Counter>>
  /** Step → the counters that start again when it is entered anew. */
  readonly restarts: Map<string, Set<string>>
  /** Whether money or tokens can run out: by a limit of this runbook, or of one around it. */
  readonly limited: boolean
  readonly vars: ReadonlySet<string>
  /** Null: a runbook is judged by itself. */
  readonly project: KnownProject | null
  readonly templates: Readonly<Record<string, DecisionTemplate>>
  /** Flow step → the templates of its runbook. */
  readonly templatesInside: Map<string, TemplateTree>
  readonly handoffs: Readonly<Record<string, Handoff>>
  readonly unattended: boolean
  /** Compiles a runbook that stands in this one. */
  readonly compileChild: (source: { readonly file: string; readonly text: string }) => {
    readonly program: Program | null
    readonly templates: TemplateTree
    readonly diagnostics: readonly Diagnostic[]
  }
  readonly inlined: Map<string, Inlined>
  /** Flow step → the runbook it names, where what remains of its steps is as it was there. */
  readonly unchanged: Map<string, Program>
  readonly spots: Map<string, Spot>
  readonly uses: TemplateUse[]
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
  return noted(scope, parseText(text), { owner, kind: 'text', spotAt: inScalar(tree, text) })
}

export function commandAt(scope: Scope, tree: Tree, text: string, owner: Owner): Template {
  if (textOf(tree) !== undefined) refuseEmpty(scope, tree, text)
  if (text.includes('\0'))
    scope.report.add({
      code: 'bad-command',
      ...spotOf(tree),
      message: 'This command holds a NUL, which no command can be given.',
      help: 'Remove it. Where the command itself should read \\0, the backslash stands twice in double quotes: \\\\0.',
    })
  return noted(scope, parseCommand(text), { owner, kind: 'command', spotAt: inScalar(tree, text) })
}

export function refuseEmpty({ report }: Scope, tree: Tree, command: string): void {
  if (command.trim() === '')
    report.add({
      code: 'bad-command',
      ...spotOf(tree),
      message: 'This command is empty, so it would always succeed.',
      help: 'Write what should be run.',
    })
}

export function grantAt(scope: Scope, tree: Tree, text: string, owner: Owner): Template {
  return noted(scope, parseText(text), { owner, kind: 'grant', spotAt: inScalar(tree, text) })
}

interface Noting extends Pick<TemplateUse, 'owner' | 'kind'> {
  /** The place of what stands at an offset of the text. */
  readonly spotAt: (offset: number) => Spot
}

function noted(
  scope: Scope,
  { template, problems, offsets }: ParsedText,
  { spotAt, ...use }: Noting,
): Template {
  for (const { offset, ...problem } of problems) scope.report.add({ ...problem, ...spotAt(offset) })
  scope.uses.push({ ...use, template, spots: offsets.map(spotAt) })
  return template
}

function inScalar(tree: Tree, text: string): Noting['spotAt'] {
  const places = tree.kind === 'scalar' ? tree.lookUps : undefined
  if (places === undefined) return () => spotOf(tree)
  const known = new Map(lookUpOffsets(text).map((offset, index) => [offset, places[index]]))
  return (offset) => ({ ...spotOf(tree), at: known.get(offset) ?? tree.at })
}

function inFile({ file, text }: Extract<FileRead, { kind: 'text' }>, path: string): Noting['spotAt'] {
  const lines = createLines(text, 0)
  return (offset) => ({ file, at: lines.positionAt(offset), path })
}

const PATH = /^[^\s$]+\.(?:md|txt)$/

/** A prompt: the text itself, or what is in the `.md` or `.txt` file it names. Captured now, not when a run starts. */
export function promptAt(scope: Scope, tree: Tree, text: string, owner: Owner): Template {
  if (!PATH.test(text)) return textAt(scope, tree, text, owner)
  const file = scope.readFile(text, scope.report.file)
  if (file.kind === 'text')
    return noted(scope, parseText(file.text), { owner, kind: 'text', spotAt: inFile(file, tree.path) })
  scope.report.add({
    code: 'missing-file',
    ...spotOf(tree),
    message: `The prompt file ${text} ${file.why}.`,
    help: 'Paths are relative to the runbook. Write the file, or write the prompt itself here.',
  })
  return []
}

/** A glob of files in the worktree, as it was written; anything else is told, with examples of what would be right. */
export function globAt(scope: Scope, item: Tree, examples: string): string {
  const glob = textOf(item) ?? ''
  if (textOf(item) !== undefined && !isInside(glob.replace(/^!/, '')))
    scope.report.add({
      code: 'bad-pattern',
      ...spotOf(item),
      message: glob.trim() === '' ? 'This names no file.' : `"${brief(glob)}" names no file of the worktree.`,
      help: `Write a glob from the root of the repository: ${examples}.`,
    })
  return glob
}

/** Whether a glob stays in the worktree it is read in. */
const isInside = (glob: string): boolean =>
  glob.trim() !== '' && !/^(?:[\\/]|[a-z]:)/i.test(glob) && !glob.split(/[\\/]/).includes('..')
