/**
 * Whether an agent asks permission for one of our own tools: nobody should be asked whether they may be asked. Titles differ
 * with every agent, and a model may choose that of a command; so the name alone is never enough. It must be of no kind that
 * touches anything, and what it is called with must be what that tool takes.
 */
import type { Permission } from '../../drivers/index.ts'
import { answerSchema, handoffForm } from '../../engine/index.ts'
import { decisionSchema } from '../../model/decision.ts'
import { type Program, stepOf } from '../../model/program.ts'
import { AGENT_TOOLS, type AgentTool, TOOL_SERVER } from '../../model/tool.ts'

/** The fields that each takes at this step. */
export type OwnTools = Readonly<Record<AgentTool, readonly string[]>>

export function ownToolsAt(program: Program, step: string): OwnTools {
  const { contract } = stepOf(program, step)
  const fieldsOf = (schema: object): string[] =>
    Object.keys((schema as { readonly properties?: object }).properties ?? {})
  return {
    report_outcome: fieldsOf(answerSchema(contract)),
    create_decision: fieldsOf(decisionSchema([])),
    wait_decision: ['decision', 'seconds'],
    hand_off: contract.handoff === null ? [] : fieldsOf(handoffForm(contract.handoff).schema),
    read_run: [],
  }
}

/** `calls`: how this agent names tools beside the usual ways, with `{tool}` for the name. */
export function isOwnTool(tools: OwnTools, permission: Permission, calls: readonly string[] = []): boolean {
  const { deed, names, input, texts, files } = permission
  if ((deed !== null && deed !== 'other') || files.length > 0) return false
  const tool = AGENT_TOOLS.find((each) => names.some((name) => isNameOf(each, name, calls)))
  if (tool === undefined) return false
  // Without what it is called with, nothing may be said of it that could be a command.
  if (input === null) return texts.length === 0
  return typeof input === 'object' && Object.keys(input).every((field) => tools[tool].includes(field))
}

function isNameOf(tool: AgentTool, name: string, calls: readonly string[]): boolean {
  const said = name.trim().toLowerCase()
  // One of them shows names as words.
  const spellings = [tool, tool.replaceAll('_', ' ')]
  return spellings.some(
    (spelling) =>
      BEFORE.some((before) => said === `${before}${spelling}`) ||
      calls.some((call) => said === call.replace('{tool}', spelling).toLowerCase()),
  )
}

const BEFORE = ['__', '_', '-', ': ', '.', '/'].flatMap((between) =>
  ['', 'mcp__', 'mcp_', 'mcp.'].map((first) => `${first}${TOOL_SERVER}${between}`),
)
