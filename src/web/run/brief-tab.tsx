/** The brief as the agent got it, byte for byte. */
import { useState } from 'react'
import { useKept } from '../live/kept.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { secondsText } from '../ui/time.ts'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'
import { promptsOf } from './work.view.ts'

export function BriefTab({ moment }: TabProps) {
  const prompts = promptsOf(moment.events)
  const [chosen, setChosen] = useState<string | null>(null)
  const prompt = prompts.find(({ digest }) => digest === chosen) ?? prompts[0]
  if (prompt === undefined)
    return <p className={styles.empty}>No agent was told anything up to this moment.</p>
  return (
    <>
      <select
        className={styles.picker}
        aria-label="Which prompt"
        value={prompt.digest}
        onChange={(event) => setChosen(event.target.value)}
      >
        {prompts.map(({ at, label, digest }) => (
          <option key={`${at} ${digest}`} value={digest}>
            {secondsText(at)} {label}
          </option>
        ))}
      </select>
      <KeptText digest={prompt.digest} />
    </>
  )
}

export function KeptText({ digest }: { readonly digest: string }) {
  const text = useKept(digest)
  switch (text.kind) {
    case 'loading':
      return <Skeleton height={160} />
    case 'problem':
      return (
        <p className={styles.empty}>
          <SafeText text={text.problem.problem} />
        </p>
      )
    case 'there':
      return <PlainText text={text.value} />
  }
}
