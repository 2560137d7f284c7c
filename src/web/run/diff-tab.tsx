/** What was changed up to the moment that is looked at: all of it, or the share of one step. */
import { useEffect, useState } from 'react'
import type { RunDiff } from '../../model/api/course.ts'
import { type HostProblem, isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { DiffView } from '../ui/diff.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'
import { commitsOf } from './work.view.ts'

export default function DiffTab({ detail, moment }: TabProps) {
  const commits = commitsOf(moment.events)
  const [chosen, setChosen] = useState('')
  const step = commits.find(({ commit }) => commit === chosen)
  const to = step?.commit ?? commits.at(-1)?.commit ?? null
  const found = usePatch(detail.row.run, step?.before ?? null, to)
  if (to === null) return <p className={styles.empty}>Nothing was committed up to this moment.</p>
  return (
    <>
      <select
        className={styles.picker}
        aria-label="Which changes"
        value={step?.commit ?? ''}
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value="">All that the run changed</option>
        {commits.map(({ commit, label }) => (
          <option key={commit} value={commit}>
            {label}
          </option>
        ))}
      </select>
      <Patch found={found} />
    </>
  )
}

function Patch({ found }: { readonly found: HostProblem | RunDiff | null }) {
  if (found === null) return <Skeleton height={200} />
  if (isProblem(found))
    return (
      <p className={styles.empty}>
        <SafeText text={found.problem} />
      </p>
    )
  const text = found.parts[0]?.text ?? ''
  return text === '' ? <p className={styles.empty}>Nothing was changed.</p> : <DiffView text={text} />
}

/** `from` null: the run's base. */
function usePatch(run: string, from: string | null, to: string | null): HostProblem | RunDiff | null {
  const { ask } = useLive()
  const [found, setFound] = useState<HostProblem | RunDiff | null>(null)
  useEffect(() => {
    if (to === null) return
    const abort = new AbortController()
    setFound(null)
    const query = { steps: false, stat: false, from, to }
    void ask('GET /api/v1/runs/{run}/diff', { params: { run }, query }, abort.signal).then((answer) => {
      if (!abort.signal.aborted) setFound(answer)
    })
    return () => abort.abort()
  }, [ask, run, from, to])
  return found
}
