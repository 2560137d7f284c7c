/** The tools that an agent of a run is offered, and what the server is called that offers them. */
export const AGENT_TOOLS = [
  'report_outcome',
  'create_decision',
  'wait_decision',
  'hand_off',
  'read_run',
] as const

export type AgentTool = (typeof AGENT_TOOLS)[number]

export const TOOL_SERVER = 'signalbox'
