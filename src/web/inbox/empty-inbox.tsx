/** What there is to do where nothing waits. */
import { useState } from 'react'
import { ActionButton } from '../action/action-button.tsx'
import { useActionList } from '../action/actions.tsx'
import { isProblem } from '../live/ask.ts'
import { useLive, useRuns } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { useSay } from '../ui/notice.tsx'
import { EmptyState } from '../ui/page.tsx'
import { StatusShape } from '../ui/status.tsx'
import styles from './empty-inbox.module.css'

export function NothingWaits() {
  const going = (valueIn(useRuns()) ?? []).filter(({ status }) => status !== 'ended').length
  return (
    <EmptyState title="Nothing waits for you">
      <p>What is asked comes here by itself, and the title of this page tells how much there is.</p>
      {going === 0 ? null : (
        <p>
          <StatusShape sign="working" /> {going} {going === 1 ? 'run goes' : 'runs go'} on.
        </p>
      )}
    </EmptyState>
  )
}

/** Nobody has started anything yet: the first decision can come while they watch. */
export function FirstVisit() {
  const { ask, me } = useLive()
  const say = useSay()
  const [isStarted, setStarted] = useState(false)
  const [start] = useActionList(
    () => [
      {
        id: 'demo.start',
        label: 'Start the demo run',
        group: 'Inbox',
        keys: ['d'],
        available: me.isOwner && !isStarted,
        run: () => {
          setStarted(true)
          void ask('POST /api/v1/demo', {}).then((answer) => {
            if (!isProblem(answer)) return
            setStarted(false)
            say({ sign: 'fault', text: answer.problem })
          })
        },
      },
    ],
    [ask, me, say, isStarted],
  )
  return (
    <EmptyState title="Nothing has been asked yet">
      <p>
        A run takes a task through agents, checks and people. What it needs a person for comes here, and you
        answer with a key.
      </p>
      <p>
        In a repository of yours: <code>signalbox init</code>, then <code>signalbox run</code>.
      </p>
      <p>
        Or watch one now: a small repository, two scripted agents and no model. Its first question takes some
        seconds.
      </p>
      <div className={styles.deed}>
        {start === undefined ? null : (
          <ActionButton
            action={start}
            look="primary"
            short={isStarted ? 'The agents are at work …' : 'Start the demo run'}
          />
        )}
      </div>
    </EmptyState>
  )
}
