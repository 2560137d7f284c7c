/** Where every outcome of every step leads. What nobody wrote can be left out: it asks a person. */
import { useState } from 'react'
import type { MatrixRow } from '../../model/certificate.ts'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './runbook-screen.module.css'

export function RoutingMatrix({ matrix }: { readonly matrix: readonly MatrixRow[] }) {
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
                <SafeText text={label === '' || label === outcome ? outcome : `${outcome}: ${label}`} />
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
