/** A certificate as a person reads it. */
import type { Certificate, MatrixRow, Worst } from '../model/certificate.ts'
import { plural, type Terminal, table, visible } from './terminal.ts'

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
    `  ${label('worst case')}${exact ? '' : 'at most '}${worstText(worst)}`,
    `  ${label('no faults')}${exact ? '' : 'at most '}${worstText(faultless)}`,
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
        `${step.visits}`,
        step.dispatchesPerVisit === 0 ? '·' : `${step.dispatchesPerVisit}`,
        step.questionsPerVisit === 0 ? '·' : `${step.questionsPerVisit}`,
      ]),
    ),
  ].join('\n')
}

const worstText = ({ visits, dispatches, questions, flowQuestions, agentQuestions }: Worst): string =>
  [
    plural(visits, 'visit'),
    plural(dispatches, 'dispatch', 'dispatches'),
    `${plural(questions, 'question')} to people` +
      (questions === 0 ? '' : ` (up to ${flowQuestions} by the flow, ${agentQuestions} by agents)`),
  ].join(', ')

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
