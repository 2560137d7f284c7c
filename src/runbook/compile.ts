/**
 * Text → program and diagnostics. Everything wrong with a file is reported at once: syntax, shape, names, then
 * what only shows on the whole flow. A program comes out only where there is no error.
 */
import { byPosition, type Diagnostic, hasErrors } from '../model/diagnostic.ts'
import { didYouMean } from '../model/nearest.ts'
import { isLimited, type Program, type Step } from '../model/program.ts'
import { checkProgram } from './checks/index.ts'
import { checkLookUps } from './checks/names.ts'
import { checkFlowDeadline } from './compile/deadline.ts'
import {
  budgetsOf,
  countersOf,
  endsOf,
  handoffsOf,
  limitsOf,
  templatesOf,
  varsOf,
} from './compile/declarations.ts'
import { agentOf } from './compile/members.ts'
import { withPersonRoutes } from './compile/person-routes.ts'
import { prepared } from './compile/preparation.ts'
import { checkReservedNames } from './compile/reserved-names.ts'
import { restartAt, routeOf } from './compile/routes.ts'
import {
  BUILT_IN_ENDS,
  type Inlined,
  type KnownProject,
  namesIn,
  type ReadFile,
  type Scope,
  spotOf,
} from './compile/scope.ts'
import { compileStep } from './compile/steps.ts'
import { type TemplateTree, templatesIn } from './compile/template-tree.ts'
import { readHcl } from './hcl/read.ts'
import { RUNBOOK } from './language/language.ts'
import { checkShape } from './language/shape.ts'
import { createReport, type Report } from './report.ts'
import { booleanOf, childOf, entriesOf, type Tree, textOf } from './tree.ts'
import { treeOfValue } from './value.ts'
import { readYaml } from './yaml/read.ts'

export type Source =
  | { readonly file: string; readonly text: string }
  /** What a TypeScript runbook exports, and the text that does. */
  | { readonly file: string; readonly value: unknown; readonly source?: string }

export interface Compiled {
  readonly file: string
  /** Null where there are errors. */
  readonly program: Program | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Longer than any runbook, short enough to read in a moment whatever is in it. */
const LONGEST = 256 * 1024
const MOST_STEPS = 2000

/** What a runbook stands in. */
interface Around {
  /** The runbooks being compiled around it, outermost first. */
  readonly within: readonly string[]
  /** Runbooks that stand in others, by file: one that stands in many places is compiled once. */
  readonly children: Map<string, CompiledWithin>
  /** Whether one of them has a limit in money or tokens. */
  readonly limited: boolean
  readonly project: KnownProject | null
}

/** `project`: the one it would run in, where that is known. */
export function compileSource(
  source: Source,
  readFile: ReadFile,
  { project = null }: { readonly project?: KnownProject | null } = {},
): Compiled {
  const around = { within: [], children: new Map(), limited: false, project }
  const { file, program, diagnostics } = compileWithin(source, readFile, around)
  return { file, program, diagnostics }
}

/** Of its templates the program of a runbook that stands in another one has only its own. */
interface CompiledWithin extends Compiled {
  readonly templates: TemplateTree
}

function compileWithin(source: Source, readFile: ReadFile, around: Around): CompiledWithin {
  const report = createReport(source.file)
  const tree = read(source, report)
  const scope = tree === null ? null : openScope(tree, report, readFile, around)
  const program = scope === null ? null : compileTree(scope)
  return {
    file: source.file,
    program: hasErrors(report.diagnostics) ? null : program,
    templates: { own: scope?.templates ?? {}, inside: scope?.templatesInside ?? new Map() },
    diagnostics: [...report.diagnostics].sort(byPosition),
  }
}

function read(source: Source, report: Report): Tree | null {
  if ('value' in source) return treeOfValue(source.value, source.source, report)
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

function compileTree(scope: Scope): Program | null {
  const { root, report } = scope
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
  checkReservedNames(scope)
  const wellShaped = !hasErrors(report.diagnostics)
  checkFlowRoutes(scope)
  checkFlowDeadline(scope)

  const steps: Record<string, Step> = {}
  for (const entry of entriesOf(childOf(root, 'steps'))) {
    const step = compileStep(scope, entry)
    if (step === null) continue
    steps[step.name] = withPersonRoutes(step)
    for (const inside of scope.inlined.get(step.name)?.steps ?? []) steps[inside.name] = inside
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

  const merged = <K extends Exclude<keyof Inlined, 'steps'>>(key: K, own: Program[K]): Program[K] =>
    Object.assign({}, own, ...[...scope.inlined.values()].map((pieces) => pieces[key]))
  const program = prepared(scope, {
    format: 1,
    name: textOf(childOf(root, 'name')) ?? nameOfFile(report.file),
    say: textOf(childOf(root, 'description')) ?? '',
    unattended: scope.unattended,
    vars: varsOf(root),
    limits: limitsOf(root),
    budgets: merged('budgets', budgetsOf(root)),
    agents: merged('agents', Object.fromEntries([...agents].map((name) => [name, agentOf(scope, name)]))),
    templates:
      scope.within.length > 1
        ? scope.templates
        : templatesIn({ own: scope.templates, inside: scope.templatesInside }),
    handoffs: merged('handoffs', scope.handoffs),
    start: startOf(scope),
    ...restartsOf(scope),
    steps,
    ends: endsOf(root),
  })
  const complete = entriesOf(childOf(root, 'steps')).every(({ key }) => Object.hasOwn(steps, key))
  // A flow with holes in it is not judged as a whole; what a text looks up can be told all the same.
  if (wellShaped && complete) checkProgram(program, scope)
  else if (complete) checkLookUps({ program, scope })
  return program
}

function openScope(root: Tree, report: Report, readFile: ReadFile, around: Around): Scope {
  const within = [...around.within, report.file]
  const limited = around.limited || isLimited({ limits: limitsOf(root) })
  const { children, project } = around
  const base: Scope = {
    report,
    root,
    readFile,
    within,
    limited,
    project,
    counters: countersOf(root),
    restarts: new Map(),
    steps: namesIn(root, 'steps'),
    ends: new Set([...BUILT_IN_ENDS, ...namesIn(root, 'ends')]),
    budgets: new Set(Object.keys(budgetsOf(root))),
    vars: namesIn(root, 'vars'),
    templates: templatesOf(root),
    templatesInside: new Map(),
    handoffs: {},
    unattended: booleanOf(childOf(root, 'unattended')) ?? false,
    compileChild: (source) => {
      const compiled =
        children.get(source.file) ?? compileWithin(source, readFile, { within, children, limited, project })
      children.set(source.file, compiled)
      return compiled
    },
    inlined: new Map(),
    unchanged: new Map(),
    spots: new Map(),
    uses: [],
  }
  return { ...base, handoffs: handoffsOf(base) }
}

/** Left out where there are none: most programs have no loop that counts each of its entries. */
function restartsOf(scope: Scope): Pick<Program, 'restarts'> {
  for (const { key, value } of entriesOf(childOf(scope.root, 'counters')))
    restartAt(scope, childOf(value, 'per'), key)
  const own = [...scope.restarts].map(([step, counters]) => [step, [...counters]] as const)
  const all = [...own, ...[...scope.inlined.values()].flatMap(({ restarts }) => Object.entries(restarts))]
  return all.length === 0 ? {} : { restarts: Object.fromEntries(all) }
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
