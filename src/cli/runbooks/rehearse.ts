/** `signalbox rehearse FILE`: every path, one path, or a scripted one. */
import { hasErrors } from '../../model/diagnostic.ts'
import type { Program } from '../../model/program.ts'
import { pathTo } from '../../rehearsal/path.ts'
import { type Rehearsal, rehearse, type Stopped } from '../../rehearsal/rehearse.ts'
import { type RehearsalReport, reportOf } from '../../rehearsal/report.ts'
import { playScenarios } from '../../rehearsal/scenario.ts'
import { certify } from '../../runbook/proof/certificate.ts'
import { EXIT } from '../exit.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import { hasRoom } from './heap-room.ts'
import { readNamedFile } from './runbook-files.ts'
import { compileFile } from './sources.ts'

export interface RehearseOptions {
  readonly scenario?: readonly string[]
  readonly path?: string
  readonly maxStates: number
  readonly json?: boolean
}

export async function rehearseFile(
  file: string,
  options: RehearseOptions,
  terminal: Terminal,
): Promise<number> {
  const { program, diagnostics } = await compileFile(file)
  if (program === null) {
    if (options.json === true) terminal.write(JSON.stringify({ file, ok: false, diagnostics }, null, 2))
    else if (diagnostics.length > 0) terminal.write(diagnosticsText(diagnostics, file, terminal))
    return hasErrors(diagnostics) ? 1 : 2
  }
  if (options.scenario !== undefined) return playAll(program, options.scenario, options, terminal)
  if (options.path !== undefined)
    return tellPath(withProgress(program, options, terminal), options.path, options, terminal)
  // First: once the rehearsal has used up its room, there is none left to prove anything in.
  const certificate = certify(program)
  const report = reportOf(withProgress(program, options, terminal), certificate)
  terminal.write(options.json === true ? JSON.stringify(report, null, 2) : reportText(report, file, terminal))
  return isGood(report) && report.complete ? 0 : 1
}

function withProgress(
  program: Program,
  { maxStates, path }: Pick<RehearseOptions, 'maxStates' | 'path'>,
  terminal: Terminal,
): Rehearsal {
  const began = performance.now()
  const rehearsal = rehearse(program, {
    mostStates: maxStates,
    // Who asks for the way to one fault wants that one, and no other that leads the same way.
    faults: path === undefined ? 'by-route' : 'each',
    hasRoom,
    progress: (states, waiting) => {
      if (performance.now() - began < 1000) return
      terminal.progress(`rehearsed ${plural(states, 'state')}, ${waiting.toLocaleString('en')} waiting…`)
    },
  })
  terminal.clearProgress()
  return rehearsal
}

function playAll(
  program: Program,
  files: readonly string[],
  { json }: RehearseOptions,
  terminal: Terminal,
): number {
  const { paint } = terminal
  const results = files.flatMap((file) => {
    const read = readNamedFile(file)
    if (read.kind === 'text')
      return playScenarios(program, read.text, file).map((played) => ({ file, ...played }))
    const diagnostic = {
      code: 'unreadable',
      severity: 'error',
      file,
      at: { line: 1, column: 1 },
      path: '',
      message: `${file} ${read.why}.`,
    } as const
    return [{ file, name: file, passed: false, diagnostics: [diagnostic], path: [], end: null }]
  })
  if (json === true) terminal.write(JSON.stringify(results, null, 2))
  else
    for (const { file, name, passed, diagnostics, path, end } of results) {
      if (passed)
        terminal.write(
          `${paint(['green', 'bold'], '✓')} ${paint('bold', visible(name))}  ${paint('dim', `${path.join(' → ')}${end === null ? '' : ` → ${end}`}`)}`,
        )
      else
        terminal.write(
          `${paint(['red', 'bold'], '✗')} ${paint('bold', visible(name))}\n${diagnosticsText(diagnostics, file, terminal)}`,
        )
    }
  return results.every(({ passed }) => passed) ? 0 : 1
}

function tellPath(
  rehearsal: Rehearsal,
  target: string,
  { json }: RehearseOptions,
  terminal: Terminal,
): number {
  const path = pathTo(rehearsal, target)
  if (json === true) terminal.write(JSON.stringify(path, null, 2))
  else if (path.kind !== 'way') terminal.write(path.message)
  else
    terminal.write(
      [
        terminal.paint(
          'dim',
          `# A shortest way to ${target}; play it with: signalbox rehearse FILE --scenario THIS`,
        ),
        `scenario: to ${target.replace(':', ' as ')}`,
        ...varsOf(rehearsal.program),
        ...(path.lines.length === 0 ? ['play: []'] : ['play:', ...path.lines.map((line) => `  - ${line}`)]),
        ...(path.end !== null
          ? [`expect: { end: ${path.end} }`]
          : isPlace(rehearsal.program, target)
            ? [`expect: { at: ${target} }`]
            : []),
      ].join('\n'),
    )
  return PATH_EXITS[path.kind]
}

const PATH_EXITS = { way: EXIT.ok, none: EXIT.failed, unknown: EXIT.usage } as const

/** A step where a run can stand: not an outcome, and not a flow. */
const isPlace = ({ steps }: Program, target: string): boolean =>
  Object.hasOwn(steps, target) && steps[target]!.kind !== 'flow'

/** So that the path can be played as it stands. */
function varsOf({ vars }: Program): string[] {
  const needed = Object.entries(vars).filter(([, variable]) => variable.required && variable.default === null)
  return needed.length === 0 ? [] : [`vars: { ${needed.map(([name]) => `${name}: ${name}`).join(', ')} }`]
}

const isGood = ({ problems, disagreements }: RehearsalReport): boolean =>
  problems.length === 0 && disagreements.length === 0

const MOST_NAMED = 8

function reportText(report: RehearsalReport, file: string, { paint }: Terminal): string {
  const { routes, worst, problems, disagreements } = report
  const label = (text: string) => paint('dim', text.padEnd(12))
  const mark = !isGood(report)
    ? paint(['red', 'bold'], '✗')
    : report.complete
      ? paint(['green', 'bold'], '✓')
      : paint(['yellow', 'bold'], '…')
  const named = (names: readonly string[]) =>
    `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : ''}`
  const lines = [
    `${mark} ${paint('bold', visible(report.runbook))}  ${paint('dim', visible(file))}`,
    `  ${label('rehearsed')}${plural(report.states, 'state')}, ${plural(report.moves, 'move')}${report.complete ? ', all there are' : ''}`,
  ]
  if (!report.complete)
    lines.push(
      `  ${label('incomplete')}${plural(report.waiting, 'state')} ${report.waiting === 1 ? 'was' : 'were'} met and not gone on from: ${WHY_STOPPED[report.stopped ?? 'states']}`,
      `  ${label('')}so nothing is shown of stuck states, of the longest run or of the certificate`,
    )
  lines.push(
    `  ${label('ends')}${report.ends.map(({ end, moves }) => `${end} (in ${plural(moves, 'move')})`).join(', ') || 'none so far'}`,
    `  ${label('routes')}${routes.taken} of ${routes.all} taken${routes.missed.length === 0 ? '' : `; ${report.complete ? 'never' : 'not walked'}: ${named(routes.missed)}`}`,
  )
  if (worst !== null)
    lines.push(
      `  ${label('longest run')}${plural(worst.visits, 'visit')}, ${plural(worst.dispatches, 'dispatch', 'dispatches')}, ${plural(worst.questions, 'question')} to people`,
      `  ${label('certificate')}${disagreements.length > 0 ? paint('red', disagreements.join('; ')) : report.exact ? 'the same numbers' : 'within its bounds'}`,
      `  ${label('stuck')}${problems.length === 0 ? 'nowhere' : ''}`,
    )
  for (const { message, way } of problems.slice(0, 5))
    lines.push(`    ${paint('red', message)}`, ...way.map((line) => `      ${line}`))
  return lines.join('\n')
}

const WHY_STOPPED: Record<Stopped, string> = {
  states: 'allow more with --max-states',
  memory: 'the memory is used up; allow more with NODE_OPTIONS=--max-old-space-size=MEGABYTES',
}
