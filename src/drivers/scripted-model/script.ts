/**
 * What the scripted model does. The script stands in a prompt, as a fenced block, and nothing is remembered between
 * requests: where it is in its script the model reads from the conversation it is sent. So restarts, resumed sessions
 * and parallel ones need no care.
 *
 * A script is a list of turns. The first is played for the prompt that holds the script; each later one names a text
 * that its prompt contains (`when`): an answer, a nudge. A brief that is given anew holds the script and such a text,
 * and then the later turn is played. Within a turn the step is the number of tool calls made since.
 */

export type ScriptedStep = StepDeed & {
  /** Before the answer: a model that thinks for long, or for ever. */
  readonly afterMs?: number
  readonly usage?: Usage
}

type StepDeed =
  /** Text, and the end of the turn. */
  | { readonly say: string }
  /** A tool of an MCP server, by the name the server gave it. */
  | { readonly call: string; readonly with: object }
  /** A command for the shell the agent offers; escalated: one that the agent asks permission for. */
  | { readonly shell: string; readonly escalated?: true }
  /** A file of the worktree, by the tool the agent offers for that. */
  | { readonly write: string; readonly text: string }
  /** The request is refused. */
  | { readonly status: number; readonly message: string; readonly retryAfterS?: number }
  /** An answer with nothing in it. */
  | { readonly empty: true }

export interface Usage {
  readonly input: number
  readonly output: number
}

export interface ScriptedTurn {
  readonly when?: string
  readonly do: readonly ScriptedStep[]
}

/** One message of a conversation, as far as scripts are concerned. */
export type Said =
  | { readonly by: 'user'; readonly text: string }
  | { readonly by: 'model'; readonly toolCalls: number }

/** The script as a prompt carries it. */
export const scriptText = (turns: readonly ScriptedTurn[]): string =>
  `\`\`\`${FENCE}\n${JSON.stringify(turns)}\n\`\`\``

export interface ScriptPosition {
  readonly step: ScriptedStep
  /** The prompt that the script came with. */
  readonly prompt: string
}

/** What is to be done now. */
export function positionIn(conversation: readonly Said[]): ScriptPosition {
  const begin = conversation.findLastIndex((said) => said.by === 'user' && readScript(said.text) !== null)
  const first = conversation[begin]
  if (first?.by !== 'user') return { step: { say: NO_SCRIPT }, prompt: '' }
  const turns = readScript(first.text) ?? []
  let at = begin
  let turn = turns.find(({ when }) => when === undefined)
  conversation.slice(begin).forEach((said, index) => {
    if (said.by !== 'user') return
    const text = said.text.replaceAll(BLOCK, '')
    const fitting = turns.find(({ when }) => when !== undefined && text.includes(when))
    if (fitting === undefined) return
    at = begin + index
    turn = fitting
  })
  const done = conversation
    .slice(at)
    .reduce((sum, said) => sum + (said.by === 'model' ? said.toolCalls : 0), 0)
  return { step: turn?.do[done] ?? { say: OVER }, prompt: first.text }
}

export const NO_SCRIPT = 'There is no script in this conversation.'
export const OVER = 'That is all.'

const FENCE = 'signalbox-script'
const BLOCK = new RegExp(`\`\`\`${FENCE}\\s*([\\s\\S]*?)\\s*\`\`\``, 'g')

function readScript(text: string): readonly ScriptedTurn[] | null {
  const [block] = [...text.matchAll(BLOCK)].slice(-1)
  return block?.[1] === undefined ? null : (JSON.parse(block[1]) as readonly ScriptedTurn[])
}
