/** What every command about decisions stands on: whose host is asked, for whom, and on how wide a page. */
import type { Operations } from '../../host/operations.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import {
  type CommandSetting,
  connected,
  orComplain,
  settingOf,
  type Wiring,
  withOperations,
} from '../wiring.ts'
import { NOT_FOR_AGENTS } from './session-door.ts'

/** What is done with whoever is the host; `isAlone` where that is only this process, for this moment. */
type Acting = (operations: Operations, isAlone: boolean) => Promise<number>

export interface DecisionWiring {
  readonly terminal: Terminal
  readonly finish: (code: number) => void
  readonly setting: () => CommandSetting
  readonly withOperations: (act: Acting) => Promise<number>
  /** The same for what may be the first thing ever kept here. */
  readonly keeping: (act: Acting) => Promise<number>
  /**
   * For what takes long: where nobody is the host, this process is, so that others reach it meanwhile. A host that is
   * gone is thrown, for whoever can go on without it.
   */
  readonly whileWaiting: DecisionWiring['withOperations']
  /** The same for who only looks on. */
  readonly joining: DecisionWiring['withOperations']
  /** A host that cannot be reached is told in a sentence. */
  readonly orComplain: (act: () => Promise<number>) => Promise<number>
}

export const decisionWiring = (wiring: Wiring): DecisionWiring => ({
  terminal: wiring.terminal,
  finish: wiring.finish,
  setting: () => settingOf(wiring),
  withOperations: (act) =>
    withOperations(wiring, (operations, { remote }) => act(operations, remote === null)),
  keeping: (act) =>
    orComplain(wiring, () =>
      connected(wiring, 'keep')((operations, { remote }) => act(operations, remote === null)),
    ),
  joining: (act) => connected(wiring, 'join')((operations) => act(operations, false)),
  whileWaiting: (act) => connected(wiring, 'work')((operations) => act(operations, false)),
  orComplain: (act) => orComplain(wiring, act),
})

export const ID = 'its id, or the beginning of it'

export const staying = (wiring: DecisionWiring): DecisionWiring => ({
  ...wiring,
  withOperations: (act) => wiring.orComplain(() => wiring.joining(act)),
})

/** An agent that finds this command has no business with it, whatever it can reach. */
export async function forPeople(
  { terminal, finish, setting, withOperations }: DecisionWiring,
  act: Acting,
): Promise<void> {
  const { environment } = setting()
  if (environment.session === null) return finish(await withOperations(act))
  finish(complain(terminal, NOT_FOR_AGENTS, EXIT.failed))
}
