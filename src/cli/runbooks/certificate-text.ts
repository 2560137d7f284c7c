/** A certificate as a person reads it. */
import { type Certificate, isCounted, type MatrixRow, type Worst } from '../../model/certificate.ts'
import { plural, type Terminal, table, visible } from '../terminal/terminal.ts'
import { rolesText } from './roles-text.ts'

export function certificateText(certificate: Certificate, file: string, terminal: Terminal): string {
  const { paint } = terminal
  const { worst, faultless, steps, matrix, exact } = certificate
  const count = (origin: MatrixRow['origin']) => matrix.filter((row) => row.origin === origin).length
  const written = count('step') + count('flow')
  const label = (text: string) => paint('dim', text.padEnd(12))
  const budgets = Object.entries(certificate.budgets).map(([name, amount]) => `${name} ${amount}`)
  return [
    `${paint(['green', 'bold'], '✓')} ${paint('bold', visible(certificate.runbook))}  ${paint('dim', visible(file))}`,
    `  ${label('proved')}${plural(matrix.length, 'route')} for every outcome and fault (${written} written, ${count('built-in')} built in)`,
    `  ${label('')}every step reached, every loop bounded, every look-up given`,
    `  ${label('worst case')}${worstText(worst, exact)}`,
    `  ${label('no faults')}${worstText(faultless, exact)}`,
    `  ${label('ends')}${certificate.ends.join(', ')}`,
    `  ${label('budgets')}${budgets.join(', ')}`,
    `  ${label('program')}${certificate.digest.slice(0, 16)}`,
    '',
    table(
      [
        { head: 'step' },
        { head: 'kind' },
        { head: exact ? 'visits' : 'visits ≤', right: true },
        { head: 'dispatches a visit', right: true },
        { head: 'questions a visit', right: true },
      ],
      steps.map((step) => [
        step.step,
        step.kind,
        isCounted(step.visits) ? `${step.visits}` : 'too many',
        step.dispatchesPerVisit === 0 ? '·' : `${step.dispatchesPerVisit}`,
        step.questionsPerVisit === 0 ? '·' : `${step.questionsPerVisit}`,
      ]),
    ),
    ...rolesText(certificate.roles),
    ...(certificate.changesIssues.length === 0
      ? []
      : ['', `  issues are changed by ${certificate.changesIssues.join(', ')}`]),
  ].join('\n')
}

function worstText(
  { visits, dispatches, questions, flowQuestions, agentQuestions }: Worst,
  exact: Certificate['exact'],
): string {
  const amount = (count: number, noun: string, many = `${noun}s`): string =>
    isCounted(count) ? plural(count, noun, many) : `too many ${many} to count`
  const text = [
    amount(visits, 'visit'),
    amount(dispatches, 'dispatch', 'dispatches'),
    isCounted(questions)
      ? `${plural(questions, 'question')} to people` +
        (questions === 0 ? '' : ` (up to ${flowQuestions} by the flow, ${agentQuestions} by agents)`)
      : 'too many questions to people to count',
  ].join(', ')
  return exact || !isCounted(visits) ? text : `at most ${text}`
}

const ORIGINS: Record<MatrixRow['origin'], string> = { step: 'step', flow: 'flow', 'built-in': 'built in' }

/** The routing matrix: one row for every outcome, fault and choice of a person. */
export function matrixText(matrix: readonly MatrixRow[], terminal: Terminal): string {
  let last = ''
  const rows = matrix.map(({ step, label, kind, route, origin }) => {
    const first = step === last ? '' : step
    last = step
    return [first, label, kind, route, ORIGINS[origin]]
  })
  const dim = (cell: string) => terminal.paint('dim', cell)
  return table(
    [
      { head: 'step', paint: (cell) => terminal.paint('bold', cell) },
      { head: 'outcome' },
      { head: 'kind', paint: dim },
      { head: 'leads to' },
      { head: 'written by', paint: dim },
    ],
    rows,
  )
}
