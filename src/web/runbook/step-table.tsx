/** The steps in the order they stand, and how often each can come at the worst. */
import { type Certificate, isCounted } from '../../model/certificate.ts'
import type { Program, Step } from '../../model/program.ts'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './runbook-screen.module.css'

export interface StepTableProps {
  readonly program: Program
  readonly certificate: Certificate
}

export function StepTable({ program, certificate }: StepTableProps) {
  return (
    <section>
      <h2>Steps</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Asks</th>
            <th scope="col" className={styles.number}>
              Visits at most
            </th>
          </tr>
        </thead>
        <tbody>
          {certificate.steps.map(({ step, visits }) => (
            <tr key={step}>
              <td>
                <SafeText text={step} />
              </td>
              <td>
                <SafeText text={askedOf(program.steps[step])} />
              </td>
              <td className={styles.number}>
                {isCounted(visits) ? visits.toLocaleString('en') : 'very many'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function askedOf(step: Step | undefined): string {
  if (step === undefined) return ''
  switch (step.kind) {
    case 'agent':
    case 'panel':
      return step.members.map(({ agent, advisory }) => (advisory ? `${agent} (advisory)` : agent)).join(', ')
    case 'check':
      return 'a command'
    case 'decide':
      return 'a person'
    case 'flow':
      return `the flow ${step.runbook}`
  }
}
