/** What is in force on a host. How it is found out is handed in by whoever opens the door. */
import type { Operations } from '../host/operations.ts'
import type {
  AgentList,
  ChannelTest,
  HostFinding,
  KnownAgent,
  ListedChannel,
  PolicyReport,
} from '../model/api/settings.ts'
import type { Rejection } from '../model/refusal.ts'

type History = Pick<Operations, 'decisions'>

export interface HostSettings {
  agents(): Promise<AgentList>
  probe(agent: string): Promise<KnownAgent | Rejection>
  channels(): Promise<readonly ListedChannel[]>
  test(channel: string): Promise<ChannelTest | Rejection>
  policies(history: History): Promise<PolicyReport>
  ratify(
    name: string,
    history: History,
  ): Promise<{ readonly name: string; readonly until: string } | Rejection>
  sandbox(): Promise<readonly HostFinding[]>
  doctor(): Promise<readonly HostFinding[] | Rejection>
}
