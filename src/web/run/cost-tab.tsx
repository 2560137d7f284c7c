/** What was used, visit by visit. */
import { SafeText } from '../ui/safe-text.tsx'
import { costByVisit, costText } from './cost.view.ts'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'

export function CostTab({ detail, moment }: TabProps) {
  const costs = costByVisit(moment.events)
  const { limits } = detail
  if (costs.length === 0)
    return <p className={styles.empty}>No agent has told of any use up to this moment.</p>
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" className={styles.number}>
              USD
            </th>
            <th scope="col" className={styles.number}>
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {costs.map(({ step, visit, costUsd, tokens, isPriced }) => (
            <tr key={`${step} ${visit}`}>
              <td>
                <SafeText text={visit === 1 ? step : `${step}, visit ${visit}`} />
              </td>
              <td className={styles.number}>{isPriced ? costUsd.toFixed(2) : 'not told'}</td>
              <td className={styles.number}>{tokens.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>
        {costText(moment.state.usage)} in all
        {limits.costUsd === null ? '' : `, of ${limits.costUsd.toFixed(2)} USD that it may use`}
        {limits.tokens === null ? '' : `, of ${limits.tokens.toLocaleString('en')} tokens that it may use`}.
      </p>
    </>
  )
}
