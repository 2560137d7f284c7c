/** What is proved, in words with their numbers. */
import type { Certificate } from '../../model/certificate.ts'
import { worstText } from '../course/worst-text.ts'
import { StatusTag } from '../ui/status.tsx'
import styles from './runbook-screen.module.css'

export function CertificateFacts({ certificate }: { readonly certificate: Certificate }) {
  const { worst, faultless, exact, budgets, states } = certificate
  const facts = [
    ['Worst case', worstText(worst, exact)],
    ['Without faults', worstText(faultless, exact)],
    [
      'Budgets',
      Object.entries(budgets)
        .map(([name, amount]) => `${name} ${amount}`)
        .join(' · '),
    ],
    ['Looked at', `${states.toLocaleString('en')} states of its routes`],
  ] as const
  return (
    <section>
      <p>
        <StatusTag sign="done">proved</StatusTag> Every outcome and fault has a route, every step is reached,
        every loop is bounded, every look-up is given.
      </p>
      <dl className={styles.facts}>
        {facts
          .filter(([, text]) => text !== '')
          .map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
