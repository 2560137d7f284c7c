/** Something every agent should do, as a play. It throws where the agent does not do it. */
import type { Stage } from '../stage.fixture.ts'

export interface Behaviour {
  readonly name: string
  readonly play: (stage: Stage) => Promise<void>
}
