/** What every tab about a run is given. */
import type { RunDetail } from '../../model/api/runs.ts'
import type { RunMoment } from './moment.view.ts'

export interface TabProps {
  readonly detail: RunDetail
  readonly moment: RunMoment
}
