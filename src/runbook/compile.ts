/**
 * Text → program and diagnostics. Everything wrong with a file is reported at once: syntax, shape, names, then
 * what only shows on the whole flow. A program comes out only where there is no error.
 */
import { byPosition, type Diagnostic, hasErrors } from '../model/diagnostic.ts'
import { isFault } from '../model/fault.ts'
import { didYouMean } from '../model/nearest.ts'
import type { Program, Step } from '../model/program.ts'
import { checkProgram } from './checks/index.ts'
import { checkLookUps } from './checks/names.ts'
import { checkFlowDeadline } from './compile/deadline.ts'
import { budgetsOf, endsOf, handoffsOf, limitsOf, templatesOf, varsOf } from './compile/declarations.ts'
import { agentOf } from './compile/members.ts'
import { routeOf } from './compile/routes.ts'
import {
  BUILT_IN_ENDS,
  type Inlined,
  namesIn,
  RESERVED_TARGETS,
  type ReadFile,
  type Scope,
  spotOf,
} from './compile/scope.ts'
import { compileStep, withPersonRoutes } from './compile/steps.ts'
import { readHcl } from './hcl/read.ts'
import { RUNBOOK } from './language.ts'
import { createReport, type Report } from './report.ts'
import { checkShape } from './shape.ts'
import { booleanOf, childOf, entriesOf, type Tree, textOf } from './tree.ts'
import { treeOfValue } from './value.ts'
import { readYaml } from './yaml.ts'

export type Source =
  | { readonly file: string; readonly text: string }
  /** What a TypeScript runbook exports. */
  | { readonly file: string; readonly value: unknown }

export interface Compiled {
  readonly file: string
  /** Null where there are errors. */
  readonly program: Program | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Longer than any runbook, short enough to read in a moment whatever is in it. */
const LONGEST = 256 * 1024
const MOST_STEPS = 2000

/** Runbooks that stand in others, by file: one that stands in many places is compiled once. */
type Children = Map<string, Compiled>

export function compileSource(
  source: Source,
  readFile: ReadFile,
  within: readonly string[] = [],
  children: Children = new Map(),
): Compiled {
  const report = createReport(source.file)
  const tree = read(source, report)
  const program =
    tree === null
      ? null
      : compileTree(tree, openScope(tree, report, readFile, [...within, source.file], children))
  return {
    file: source.file,
    program: hasErrors(report.diagnostics) ? null : program,
    diagnostics: [...report.diagnostics].sort(byPosition),
  }
}

function read(source: Source, report: Report): Tree | null {
  if ('value' in source) return treeOfValue(source.value, report)
  if (source.text.length > LONGEST) {
    report.add({
      code: 'too-large',
      at: { line: 1, column: 1 },
      path: '',
      message: `The file has ${source.text.length.toLocaleString('en')} characters; a runbook has at most ${LONGEST.toLocaleString('en')}.`,
      help: 'Move long prompts into .md files beside it.',
    })
    return null
  }
  return source.file.endsWith('.hcl') ? readHcl(source.text, report) : readYaml(source.text, report)
}

function compileTree(root: Tree, scope: Scope): Program | null {
  const { report } = scope
  const isLibrary = report.file.endsWith('.hcl') && childOf(root, 'steps') === undefined
  checkShape(root, isLibrary ? { ...RUNBOOK, required: [] } : RUNBOOK, report)
  if (isLibrary)
    report.add({
      code: 'no-flow',
      severity: 'warning',
      ...spotOf(root),
      message: 'There is no job and no step here, so there is nothing to run.',
      help: 'Write a `job "name" { … }` with its steps, or keep this beside one.',
    })
  if (childOf(root, 'steps')?.kind !== 'map') return null
  const wellShaped = !hasErrors(report.diagnostics)
  checkNames(scope)
  checkFlowRoutes(scope)
  checkFlowDeadline(scope)

  const steps: Record<string, Step> = {}
  for (const entry of entriesOf(childOf(root, 'steps'))) {
    const step = compileStep(scope, entry)
    if (step === null) continue
    steps[step.name] = withPersonRoutes(step)
    Object.assign(steps, scope.inlined.get(step.name)?.steps)
  }
  if (Object.keys(steps).length > MOST_STEPS) {
    report.add({
      code: 'too-large',
      ...spotOf(root),
      message: `With its flows written out, the runbook has more than ${MOST_STEPS.toLocaleString('en')} steps.`,
      help: 'Use fewer flows inside flows.',
    })
    return null
  }
  const agents = new Set(namesIn(root, 'agents'))
  for (const step of Object.values(steps))
    if ((step.kind === 'agent' || step.kind === 'panel') && !step.name.includes('/'))
      for (const member of step.members) agents.add(member.agent)

  const merged = <K extends keyof Inlined>(key: K, own: Program[K]): Program[K] =>
    Object.assign({}, own, ...[...scope.inlined.values()].map((pieces) => pieces[key]))
  const program: Program = {
    format: 1,
    name: textOf(childOf(root, 'name')) ?? nameOfFile(report.file),
    say: textOf(childOf(root, 'description')) ?? '',
    unattended: scope.unattended,
    vars: varsOf(root),
    limits: limitsOf(root),
    budgets: merged('budgets', budgetsOf(root)),
    agents: merged('agents', Object.fromEntries([...agents].map((name) => [name, agentOf(scope, name)]))),
    templates: merged('templates', scope.templates),
    handoffs: merged('handoffs', scope.handoffs),
    start: startOf(scope),
    steps,
    ends: endsOf(root),
  }
  const complete = entriesOf(childOf(root, 'steps')).every(({ key }) => Object.hasOwn(steps, key))
  // A flow with holes in it is not judged as a whole; what a text looks up can be told all the same.
  if (wellShaped && complete) checkProgram(program, scope)
  else if (complete) checkLookUps({ program, scope })
  return program
}

function openScope(
  root: Tree,
  report: Report,
  readFile: ReadFile,
  within: readonly string[],
  children: Children,
): Scope {
  const base: Scope = {
    report,
    root,
    readFile,
    within,
    steps: namesIn(root, 'steps'),
    ends: new Set([...BUILT_IN_ENDS, ...namesIn(root, 'ends')]),
    budgets: new Set(Object.keys(budgetsOf(root))),
    vars: namesIn(root, 'vars'),
    templates: templatesOf(root),
    handoffs: {},
    unattended: booleanOf(childOf(root, 'unattended')) ?? false,
    compileChild: (source) => {
      const compiled = children.get(source.file) ?? compileSource(source, readFile, within, children)
      children.set(source.file, compiled)
      return compiled
    },
    inlined: new Map(),
    spots: new Map(),
    uses: [],
  }
  return { ...base, handoffs: handoffsOf(base) }
}

function checkNames({ report, root, ends }: Scope): void {
  for (const { key, at, value } of entriesOf(childOf(root, 'ends')))
    if (RESERVED_TARGETS.includes(key) || isFault(key))
      report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `An end cannot be called "${key}": that already names ${isFault(key) ? 'a fault' : 'a target'}.`,
        help: 'Choose another name.',
      })
  for (const { key, at, value } of entriesOf(childOf(root, 'budgets')))
    if (key === 'cost' || key === 'tokens')
      report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `A budget cannot be called "${key}": that is a limit of the run.`,
        help: 'Write it under `limits:`, or choose another name.',
      })
  for (const { key, at, value } of entriesOf(childOf(root, 'steps')))
    if (ends.has(key) || RESERVED_TARGETS.includes(key) || isFault(key))
      report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `A step cannot be called "${key}": that already names ${ends.has(key) ? 'an end' : isFault(key) ? 'a fault' : 'a target'}.`,
        help: 'Choose another name.',
      })
}

/** The flow's own `on:` is read for every step that has the fault, and once here in case none has. */
function checkFlowRoutes(scope: Scope): void {
  for (const { key, value } of entriesOf(childOf(scope.root, 'on')))
    routeOf(scope, value, { step: '', outcome: key, origin: 'flow' })
}

function startOf({ report, root, steps }: Scope): string {
  const tree = childOf(root, 'start')
  const name = textOf(tree)
  const first = entriesOf(childOf(root, 'steps'))[0]?.key ?? ''
  if (tree === undefined || name === undefined) return first
  if (steps.has(name)) return name
  report.add({
    code: 'unknown-target',
    ...spotOf(tree),
    message: `There is no step "${name}" to start with.`,
    help: didYouMean(name, steps),
  })
  return first
}

const nameOfFile = (file: string): string =>
  file.slice(file.lastIndexOf('/') + 1).replace(/(\.runbook)?\.[a-z]+$/, '')
