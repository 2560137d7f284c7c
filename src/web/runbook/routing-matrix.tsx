/** Where every outcome of every step leads. What nobody wrote can be left out: it asks a person. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MatrixRow } from '../../model/certificate.ts'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './runbook-screen.module.css'
import { lineOf } from './text-line.view.ts'

export interface RoutingMatrixProps {
  readonly matrix: readonly MatrixRow[]
  /** Whose lines the outcomes lead to; null: it is not there. */
  readonly text: string | null
}

export function RoutingMatrix({ matrix, text }: RoutingMatrixProps) {
  const [isWhole, setWhole] = useState(false)
  const written = matrix.filter(({ origin }) => origin !== 'built-in')
  const shown = isWhole ? matrix : written
  return (
    <section>
      <h2>Where each outcome leads</h2>
      <label className={styles.choice}>
        <input type="checkbox" checked={isWhole} onChange={(event) => setWhole(event.target.checked)} />
        <span>Also the {matrix.length - written.length} built-in ones</span>
      </label>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Outcome</th>
            <th scope="col">Leads to</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ step, outcome, label, route, origin }) => (
            <tr key={`${step} ${outcome}`} className={origin === 'built-in' ? styles.builtIn : undefined}>
              <td>
                <SafeText text={step} />
              </td>
              <td>
                <InText line={origin === 'step' && text !== null ? lineOf(text, step, outcome) : null}>
                  <SafeText text={label === '' || label === outcome ? outcome : `${outcome}: ${label}`} />
                </InText>
              </td>
              <td>
                <SafeText text={route} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A link to where it is written. */
function InText({ line, children }: { readonly line: number | null; readonly children: ReactNode }) {
  if (line === null) return children
  return (
    <Link to="." search={{ line }} replace title={`Line ${line} of the text`}>
      {children}
    </Link>
  )
}
