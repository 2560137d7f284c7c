/** All of them; the first that is installed serves `use: default`. A new one is a page beside this and a line here. */
import type { AgentProgram } from '../session/agent-program.ts'
import { CLAUDE } from './claude.ts'
import { CODEX } from './codex.ts'
import { COPILOT } from './copilot.ts'
import { GEMINI } from './gemini.ts'
import { GOOSE } from './goose.ts'
import { KIMI } from './kimi.ts'
import { OPENCODE } from './opencode.ts'
import { QWEN } from './qwen.ts'
import { programOf, type ReadyAgent } from './ready-agent.ts'

export const READY_AGENTS: readonly ReadyAgent[] = [
  CLAUDE,
  CODEX,
  GEMINI,
  OPENCODE,
  GOOSE,
  COPILOT,
  QWEN,
  KIMI,
]

/** As programs. A config entry of the same name replaces one, or changes parts of it. */
export const COMMON_AGENTS: readonly AgentProgram[] = READY_AGENTS.map(programOf)

export const readyAgent = (name: string): ReadyAgent | undefined =>
  READY_AGENTS.find((each) => each.name === name)
