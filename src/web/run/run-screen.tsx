/** One run: what it is, its time on one axis, the moment that is looked at, and under it all that there is to know of that moment. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RunDetail } from '../../model/api/runs.ts'
import type { RunEvent } from '../../model/event.ts'
import { useProgram } from '../live/kept.ts'
import { useOthersAt, useRun, useRunStory } from '../live/live.tsx'
import type { RunStory } from '../live/runs.ts'
import { useNow } from '../ui/now.ts'
import { Page, ProblemState } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Axis } from './axis.tsx'
import { useCourseActions } from './course-actions.tsx'
import { momentOf } from './moment.view.ts'
import { MomentSlider } from './moment-slider.tsx'
import type { RunPlace } from './place.ts'
import { RunHead } from './run-head.tsx'
import styles from './run-screen.module.css'
import { RunTabs } from './run-tabs.tsx'
import { WhyHere } from './why-here.tsx'

export function RunScreen() {
  const { run = '' } = useParams({ strict: false })
  const detail = useRun(run)
  const story = useRunStory(run)
  if (detail.kind === 'problem') return <ProblemState problem={detail.problem.problem} />
  if (story.kind === 'problem') return <ProblemState problem={story.problem.problem} />
  if (detail.kind === 'loading' || story.kind === 'loading') return <Waiting />
  return <RunPage detail={detail.value} story={story.value} />
}

function Waiting() {
  return (
    <Page title="Run">
      <div className={styles.waiting}>
        <Skeleton width="40%" height={20} />
        <Skeleton height={90} />
        <Skeleton height={240} />
      </div>
    </Page>
  )
}

function RunPage({ detail, story }: { readonly detail: RunDetail; readonly story: RunStory }) {
  const place: RunPlace = useSearch({ strict: false })
  const navigate = useNavigate()
  const now = useNow()
  const program = useProgram(detail.row.program)
  const others = useOthersAt(`run/${detail.row.run}`)
  const events = useMemo(
    () => story.events.map(({ version, data }) => ({ version, event: data as RunEvent })),
    [story.events],
  )
  const moment = useMemo(() => momentOf(events, place.at), [events, place.at])
  const look = (next: RunPlace): void => {
    void navigate({
      to: '/runs/$run',
      params: { run: detail.row.run },
      search: { ...place, ...next },
      replace: true,
    })
  }
  const { actions, dialog } = useCourseActions({ detail, program, state: story.state })
  return (
    <div className={styles.screen}>
      <RunHead detail={detail} events={events} now={now} others={others} />
      <Axis
        events={events}
        program={program}
        now={now}
        at={moment.version}
        onMoment={(version) => look({ at: version })}
      />
      <MomentSlider moment={moment} onMoment={(version) => look(version === null ? NOW : { at: version })} />
      <div className={styles.columns}>
        <RunTabs detail={detail} moment={moment} tab={place.tab ?? 'log'} onTab={(tab) => look({ tab })} />
        <WhyHere detail={detail} moment={moment} program={program} actions={actions} />
      </div>
      {dialog}
    </div>
  )
}

const NOW = { at: undefined } as unknown as RunPlace
