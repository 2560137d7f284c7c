/** What putting a card elsewhere will do, before it is done. */
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import { courseActions } from '../course/course.view.ts'
import { CourseDialog } from '../course/course-dialog.tsx'
import { useLive, useRun, useRunStory } from '../live/live.tsx'

export interface MoveDialogProps {
  readonly row: RunRow
  readonly to: string
  readonly program: Program | null
  readonly onClose: () => void
}

export function MoveDialog({ row, to, program, onClose }: MoveDialogProps) {
  const { ask, me } = useLive()
  const detail = useRun(row.run)
  const story = useRunStory(row.run)
  if (detail.kind !== 'there' || story.kind !== 'there') return null
  const actions = courseActions({ detail: detail.value, program, state: story.value.state, me }, ask)
  const move = actions.find(({ id }) => id === 'move')
  return move === undefined ? null : <CourseDialog action={move} initial={{ to }} onClose={onClose} />
}
