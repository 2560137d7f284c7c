/** What steps handed on, and the artifacts they left. */
import { useState } from 'react'
import type { FieldValue } from '../../model/answer.ts'
import { Button } from '../ui/button.tsx'
import { SafeMarkdown } from '../ui/markdown.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { secondsText } from '../ui/time.ts'
import { KeptText } from './brief-tab.tsx'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'
import { answersOf } from './work.view.ts'

export function HandoffsTab({ detail, moment }: TabProps) {
  const answers = answersOf(moment.events)
  const artifacts = Object.entries(detail.artifacts)
  if (answers.length === 0 && artifacts.length === 0)
    return <p className={styles.empty}>No step has handed anything on up to this moment.</p>
  return (
    <>
      {answers.map(({ version, at, step, outcome, answer, handoff }) => (
        <section key={version} className={styles.part}>
          <h3>
            <SafeText text={`${step} → ${outcome}`} />
            <span className={styles.note}>
              {secondsText(at)}
              {handoff === null ? '' : `, handoff ${handoff.name} ${handoff.version}, ${handoff.quality}`}
            </span>
          </h3>
          {answer.notes === '' ? null : <SafeMarkdown text={answer.notes} />}
          <Values values={{ ...answer.fields, ...handoff?.values }} />
        </section>
      ))}
      {artifacts.length === 0 ? null : <h3>Artifacts</h3>}
      {artifacts.map(([name, digest]) => (
        <Artifact key={name} name={name} digest={digest} />
      ))}
    </>
  )
}

function Values({ values }: { readonly values: Readonly<Record<string, FieldValue>> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <table className={styles.table}>
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <SafeText text={name} />
            </th>
            <td>
              <SafeMarkdown text={valueText(value)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function valueText(value: FieldValue): string {
  if (typeof value !== 'object') return `${value}`
  return value
    .map((item) =>
      typeof item === 'string' ? `- ${item}` : `- ${item.id} ${item.severity}, ${item.status}: ${item.title}`,
    )
    .join('\n')
}

function Artifact({ name, digest }: { readonly name: string; readonly digest: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={styles.part}>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? '▾' : '▸'} <SafeText text={name} />
      </Button>
      {isOpen ? <KeptText digest={digest} /> : null}
    </section>
  )
}
