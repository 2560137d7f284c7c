/** The actions of a run on the page: each opens a dialog that says what it will do before it is done. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { RunState } from '../../engine/state.ts'
import type { RunDetail } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import type { UserAction } from '../action/action.ts'
import { useActionList } from '../action/actions.tsx'
import { courseActions } from '../course/course.view.ts'
import { CourseDialog } from '../course/course-dialog.tsx'
import { useDecisions, useLive } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'

export interface CourseProps {
  readonly detail: RunDetail
  readonly program: Program | null
  readonly state: RunState
}

export function useCourseActions({ detail, program, state }: CourseProps): {
  readonly actions: readonly UserAction[]
  readonly dialog: ReactNode
} {
  const { ask, me } = useLive()
  const navigate = useNavigate()
  const [openId, setOpen] = useState<string | null>(null)
  const course = courseActions({ detail, program, state, me }, ask)
  const pending = valueIn(useDecisions())?.pending.find(({ run }) => run === detail.row.run)?.id ?? null
  const actions = useActionList(
    () => [
      {
        id: 'run.answer',
        label: 'Answer the question',
        group: 'Run',
        keys: ['Enter'],
        available: pending !== null,
        run: () => {
          if (pending !== null) void navigate({ to: '/inbox/$decision', params: { decision: pending } })
        },
      },
      ...course.map(({ id, label, key, isPossible }) => ({
        id: `run.${id}`,
        label,
        group: 'Run',
        keys: [key],
        available: isPossible,
        run: () => setOpen(id),
      })),
    ],
    [detail, state, program, pending, me],
  )
  const chosen = course.find(({ id }) => id === openId)
  return {
    actions,
    dialog: chosen === undefined ? null : <CourseDialog action={chosen} onClose={() => setOpen(null)} />,
  }
}
