/**
 * What an agent itself cannot do, or does in its own way, stated once: the suite takes the first as given, and fails
 * when it is not true any more.
 */
import type { AgentName } from './programs.ts'

/** By the name of the behaviour. */
export const CANNOT: Readonly<Record<AgentName, Readonly<Record<string, string>>>> = {
  codex: { 'tells what it cost': 'it tells tokens, and no price' },
  claude: {},
  goose: {
    'lists the tools before its first prompt':
      'it only greets the server before, and lists them with the prompt',
  },
}

/** Worth knowing, and no hindrance. */
export const PECULIAR: Readonly<Record<AgentName, readonly string[]>> = {
  codex: [
    'cannot make its own sandbox inside ours: give it INITIAL_AGENT_MODE=agent-full-access there',
    'two first starts at the same moment in a home that was never used: one of them fails',
    'waits by itself as long as a limit says (Retry-After), without a word',
    'finds MCP tools by a search of its own before it can call them',
  ],
  claude: ['asks permission for every MCP tool, ours too; those are allowed without asking anybody'],
  goose: [
    'offers session/load and no session/resume: the whole conversation is told again',
    'asks permission for every MCP tool in its mode `approve`, ours too; those are allowed without asking anybody',
    'tries a failing model again for some seconds, and waits by itself as long as a limit says (Retry-After)',
    'ends a turn whose model failed as any other, with the error as text',
  ],
}
