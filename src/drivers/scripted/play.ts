/** Plays one turn of a script. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RequestError, type SessionUpdate, type StopReason } from '@agentclientprotocol/sdk'
import type { McpCaller } from './mcp-call.ts'
import type { ScriptAction } from './script.ts'
import { replaceFile } from './session-store.ts'

interface Usage {
  readonly costUsd: number
  readonly tokens: number
}

export interface Stage {
  readonly cwd: string
  /** What this turn was told. */
  readonly prompt: string
  readonly answerFile: string | null
  readonly mcp: McpCaller | null
  /** The turn was cancelled. */
  readonly cancelled: AbortSignal
  /** Adds to what the session has used, and gives the whole. */
  use(more: Usage): Usage
  update(update: SessionUpdate): Promise<void>
  mayI(tool: { readonly toolCallId: string; readonly title: string }): Promise<boolean>
}

export async function playTurn(actions: readonly ScriptAction[], stage: Stage): Promise<StopReason> {
  // Whether it has worked since it last said something: usage, plans and the like are neither.
  let isQuiet = false
  const update: Stage['update'] = (told) => {
    if (told.sessionUpdate.startsWith('tool_call')) isQuiet = true
    else if (told.sessionUpdate === 'agent_message_chunk') isQuiet = false
    return stage.update(told)
  }
  const stop = await inOrder(actions, { ...stage, update })
  if (stop === null && isQuiet && !actions.some(isReport)) await say(stage, DONE)
  return stop ?? (stage.cancelled.aborted ? 'cancelled' : 'end_turn')
}

/** As its brief asks for where it has worked; an agent that says nothing may have lost its model. */
const DONE = 'FINISHED: Done.'
const isReport = (action: ScriptAction): boolean => 'answer' in action || 'tool' in action || 'vibe' in action

async function inOrder(actions: readonly ScriptAction[], stage: Stage): Promise<StopReason | null> {
  for (const action of actions) {
    const stop = stage.cancelled.aborted ? 'cancelled' : await act(action, stage)
    if (stop !== null) return stop
  }
  return null
}

/** Null: the turn goes on. */
async function act(action: ScriptAction, stage: Stage): Promise<StopReason | null> {
  if ('say' in action) return say(stage, action.say)
  if ('think' in action) return say(stage, action.think, 'agent_thought_chunk')
  if ('write' in action) return write(stage, action.write.path, action.write.text)
  if ('append' in action) return append(stage, action.append)
  if ('run' in action)
    return asTool(stage, { title: action.run, input: { command: action.run } }, () => run(stage, action.run))
  if ('spawn' in action) return leaveRunning(stage, action.spawn)
  if ('wait' in action) return pause(stage, action.wait)
  if ('answer' in action) return answer(stage, action)
  if ('tool' in action) return callTool(stage, action.tool)
  if ('permission' in action) return askFirst(stage, action)
  if ('usage' in action) return use(stage, action.usage)
  if ('compact' in action) return compact(stage)
  if ('repeat' in action) return again(stage, action.repeat)
  if ('crash' in action) return crash(action.crash)
  if ('hang' in action) return hang(stage)
  if ('stop' in action) return action.stop
  if ('limit' in action) throw new RequestError(-32603, action.limit.text)
  if ('vibe' in action) return write(stage, '.vibe/decision.json', JSON.stringify(action.vibe, null, 2))
  return print(action.print)
}

async function say(
  stage: Stage,
  text: string,
  sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' = 'agent_message_chunk',
): Promise<null> {
  await stage.update({ sessionUpdate, content: { type: 'text', text } })
  return null
}

interface Done {
  readonly failed: boolean
  readonly text: string
}

async function asTool(
  stage: Stage,
  call: { readonly title: string; readonly input: unknown },
  work: () => Promise<Done>,
): Promise<null> {
  const toolCallId = randomUUID()
  await stage.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: call.title,
    status: 'in_progress',
    rawInput: call.input,
  })
  const { failed, text } = await work().catch((error: Error) => ({ failed: true, text: error.message }))
  await stage.update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: failed ? 'failed' : 'completed',
    content: [{ type: 'content', content: { type: 'text', text } }],
  })
  return null
}

const write = (stage: Stage, path: string, text: string): Promise<null> =>
  asTool(stage, { title: `write ${path}`, input: { path } }, async () => {
    replaceFile(resolve(stage.cwd, path), text)
    return { failed: false, text: 'written' }
  })

const append = (stage: Stage, { path, text }: { path: string; text: string }): Promise<null> =>
  asTool(stage, { title: `append to ${path}`, input: { path } }, async () => {
    const file = resolve(stage.cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, text)
    return { failed: false, text: 'appended' }
  })

const run = (stage: Stage, command: string): Promise<Done> =>
  new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: stage.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: stage.cancelled,
    })
    // A command that does not read it may be gone before it is written.
    child.stdin.on('error', () => {}).end(stage.prompt)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text = (text + chunk).slice(-16_000)
      })
    child.once('error', (error) => done({ failed: true, text: error.message }))
    child.once('close', (code) => done({ failed: code !== 0, text: `${text}\nexit code ${code}` }))
  })

async function leaveRunning(stage: Stage, command: string): Promise<null> {
  spawn('/bin/sh', ['-c', command], { cwd: stage.cwd, stdio: 'ignore', detached: true }).unref()
  return null
}

async function pause(stage: Stage, waitMs: number): Promise<null> {
  await delay(waitMs, null, { signal: stage.cancelled }).catch(() => null)
  return null
}

async function answer(
  stage: Stage,
  { answer, via }: Extract<ScriptAction, { answer: unknown }>,
): Promise<null> {
  const text = JSON.stringify(answer, null, 2)
  switch (via) {
    case 'file':
      if (stage.answerFile === null) throw new RequestError(-32603, 'SIGNALBOX_ANSWER_FILE is not set.')
      return write(stage, stage.answerFile, text)
    case 'message':
      return say(stage, `\`\`\`json\n${text}\n\`\`\``)
    case 'mcp':
      return callTool(stage, { name: 'report_outcome', arguments: answer })
  }
}

function callTool(stage: Stage, tool: { readonly name: string; readonly arguments: unknown }): Promise<null> {
  const { mcp } = stage
  if (mcp === null) throw new RequestError(-32603, `There is no MCP server to call ${tool.name} of.`)
  return asTool(stage, { title: tool.name, input: tool.arguments }, async () => {
    const { isError, text } = await mcp.call(tool, stage.cancelled)
    return { failed: isError, text }
  })
}

async function askFirst(
  stage: Stage,
  { permission, allowed, rejected }: Extract<ScriptAction, { permission: unknown }>,
): Promise<StopReason | null> {
  const yes = await stage.mayI({
    toolCallId: randomUUID(),
    title: permission.title,
    ...(permission.kind === undefined ? {} : { kind: permission.kind }),
    ...(permission.input === undefined ? {} : { rawInput: permission.input }),
  })
  return inOrder(yes ? allowed : rejected, stage)
}

async function use(
  stage: Stage,
  { costUsd = 0, tokens = 0 }: { costUsd?: number; tokens?: number },
): Promise<null> {
  const total = stage.use({ costUsd, tokens })
  const cost = { amount: total.costUsd, currency: 'USD' }
  await stage.update({ sessionUpdate: 'usage_update', used: total.tokens, size: 1_000_000, cost })
  return null
}

async function compact(stage: Stage): Promise<null> {
  await stage.update({ sessionUpdate: 'compaction_update', compactionId: randomUUID(), status: 'completed' })
  return null
}

async function again(
  stage: Stage,
  repeat: { readonly times: number; readonly do: readonly ScriptAction[] },
): Promise<StopReason | null> {
  for (let time = 0; time < repeat.times; time += 1) {
    const stop = await inOrder(repeat.do, stage)
    if (stop !== null) return stop
  }
  return null
}

function crash(exitCode: number): never {
  process.stderr.write(`The script says: crash with exit code ${exitCode}.\n`)
  process.exit(exitCode)
}

const hang = (stage: Stage): Promise<'cancelled'> =>
  new Promise((stopped) => {
    if (stage.cancelled.aborted) stopped('cancelled')
    else stage.cancelled.addEventListener('abort', () => stopped('cancelled'), { once: true })
  })

async function print(line: string): Promise<null> {
  process.stdout.write(`${line}\n`)
  return null
}
