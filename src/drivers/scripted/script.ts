/**
 * What a scripted agent does, as JSON:
 *
 *   { "sessions": [ { "when": { "step": "develop", "visit": 1 }, "turns": [ [ACTION, ...], [ACTION, ...] ] } ] }
 *
 * The first session whose `when` fits is played; every key of `when` is optional. `step`, `visit`, `member` and `agent`
 * are compared with SIGNALBOX_STEP, SIGNALBOX_VISIT, SIGNALBOX_MEMBER and SIGNALBOX_AGENT, and `prompt` is a part of the
 * first prompt. The n-th prompt of a session plays its n-th turn, and the last turn again from then on. An empty turn
 * ends with no text and no tool call. `Action` lists what a turn may consist of.
 */
import { createReader, type Reader } from './reader.ts'

export interface Script {
  readonly sessions: readonly ScriptSession[]
}

export interface ScriptSession {
  readonly when: When
  readonly turns: readonly (readonly ScriptAction[])[]
}

export interface When {
  readonly step?: string
  readonly visit?: number
  readonly member?: number
  readonly agent?: string
  readonly prompt?: string
}

const STOPS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal'] as const
const WAYS = ['file', 'message', 'mcp'] as const

const TOOL_KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'] as const
type ToolKind = (typeof TOOL_KINDS)[number]

export type ScriptAction =
  | { readonly say: string }
  | { readonly think: string }
  /** Files are relative to the working directory; each is a tool call. */
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly append: { readonly path: string; readonly text: string } }
  /** A shell command as a tool call, waited for; the prompt is on its standard input. */
  | { readonly run: string }
  /** A shell command left running, in a session of its own. */
  | { readonly spawn: string }
  /** Milliseconds. */
  | { readonly wait: number }
  /** The step's answer: into SIGNALBOX_ANSWER_FILE, as a fenced block, or through the tool `report_outcome`. */
  | { readonly answer: unknown; readonly via: (typeof WAYS)[number] }
  /** Any tool of the offered MCP server. */
  | { readonly tool: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } }
  | {
      readonly permission: { readonly title: string; readonly kind?: ToolKind; readonly input?: unknown }
      readonly allowed: readonly ScriptAction[]
      readonly rejected: readonly ScriptAction[]
    }
  | { readonly usage: { readonly costUsd?: number; readonly tokens?: number } }
  /** Tells that it has compacted its context. */
  | { readonly compact: true }
  | { readonly repeat: { readonly times: number; readonly do: readonly ScriptAction[] } }
  /** Ends the process with this exit code. */
  | { readonly crash: number }
  /** The turn goes on until it is cancelled. */
  | { readonly hang: true }
  /** Ends the turn for this reason. */
  | { readonly stop: (typeof STOPS)[number] }
  /** Fails the prompt with a usage limit. */
  | { readonly limit: { readonly text: string } }
  /** Into .vibe/decision.json. */
  | { readonly vibe: unknown }
  /** A line on stdout that is not of the protocol, as a careless log line would be. */
  | { readonly print: string }

export type ParsedScript = { readonly script: Script } | { readonly problems: readonly string[] }

export function parseScript(value: unknown): ParsedScript {
  const problems: string[] = []
  const script = createReader(value, { path: 'script', problems })
  script.keys(['sessions'])
  const sessions = script.at('sessions').list().map(readSession)
  if (sessions.length === 0) script.at('sessions').wrong('one session or more')
  return problems.length === 0 ? { script: { sessions } } : { problems: [...new Set(problems)] }
}

function readSession(session: Reader): ScriptSession {
  session.keys(['when', 'turns'])
  const when = session.at('when')
  when.keys(['step', 'visit', 'member', 'agent', 'prompt'])
  const turns = session.at('turns').list()
  if (turns.length === 0) session.at('turns').wrong('one turn or more')
  return {
    when: {
      ...when.optional('step', (at) => at.text()),
      ...when.optional('visit', (at) => at.whole()),
      ...when.optional('member', (at) => at.whole()),
      ...when.optional('agent', (at) => at.text()),
      ...when.optional('prompt', (at) => at.text()),
    },
    turns: turns.map(readActions),
  }
}

const readActions = (actions: Reader): ScriptAction[] => actions.list().map(readAction)

const ACTIONS: Readonly<Record<string, (at: Reader, whole: Reader) => ScriptAction>> = {
  say: (at) => ({ say: at.text() }),
  think: (at) => ({ think: at.text() }),
  write: (at) => ({ write: readFile(at) }),
  append: (at) => ({ append: readFile(at) }),
  run: (at) => ({ run: at.text() }),
  spawn: (at) => ({ spawn: at.text() }),
  wait: (at) => ({ wait: at.whole() }),
  answer: (at, whole) => ({ answer: at.any(), via: whole.at('via').oneOf(WAYS) }),
  tool: (at) => {
    at.keys(['name', 'arguments'])
    return { tool: { name: at.at('name').text(), arguments: at.at('arguments').record() } }
  },
  permission: (at, whole) => {
    at.keys(['title', 'kind', 'input'])
    const asked = {
      title: at.at('title').text(),
      ...at.optional('kind', (kind) => kind.oneOf(TOOL_KINDS)),
      ...at.optional('input', (input) => input.any()),
    }
    const [allowed, rejected] = [readActions(whole.at('allowed')), readActions(whole.at('rejected'))]
    return { permission: asked, allowed, rejected }
  },
  usage: (at) => {
    at.keys(['costUsd', 'tokens'])
    return {
      usage: {
        ...at.optional('costUsd', (cost) => cost.number()),
        ...at.optional('tokens', (tokens) => tokens.whole()),
      },
    }
  },
  compact: (at) => {
    if (at.any() !== true) at.wrong('true')
    return { compact: true }
  },
  repeat: (at) => {
    at.keys(['times', 'do'])
    return { repeat: { times: at.at('times').whole(), do: readActions(at.at('do')) } }
  },
  crash: (at) => ({ crash: at.whole() }),
  hang: (at) => {
    if (at.any() !== true) at.wrong('true')
    return { hang: true }
  },
  stop: (at) => ({ stop: at.oneOf(STOPS) }),
  limit: (at) => {
    at.keys(['text'])
    return { limit: { text: at.at('text').text() } }
  },
  vibe: (at) => ({ vibe: at.any() }),
  print: (at) => ({ print: at.text() }),
}

const BESIDE: Readonly<Record<string, readonly string[]>> = {
  answer: ['via'],
  permission: ['allowed', 'rejected'],
}

function readAction(action: Reader): ScriptAction {
  const name = Object.keys(action.record()).find((key) => Object.hasOwn(ACTIONS, key))
  if (name === undefined) {
    action.wrong(`one of ${Object.keys(ACTIONS).join(', ')}`)
    return { say: '' }
  }
  action.keys([name, ...(BESIDE[name] ?? [])])
  return ACTIONS[name]!(action.at(name), action)
}

function readFile(file: Reader): { path: string; text: string } {
  file.keys(['path', 'text'])
  return { path: file.at('path').text(), text: file.at('text').text() }
}
