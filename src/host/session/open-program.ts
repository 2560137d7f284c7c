/** A program for a session: resumed where there was one, fresh where that is gone. */
import { mkdir } from 'node:fs/promises'
import type { Elicitation, Elicited, Opened, PermissionKind, Update } from '../../drivers/index.ts'
import type { Holder } from '../../model/fact.ts'
import { TOOL_SERVER } from '../../model/tool.ts'
import { holdAgent } from '../confinement/hold.ts'
import { makePrivateCopies } from '../confinement/private-copies.ts'
import { tellingRefused } from '../confinement/refused.ts'
import type { Clock } from '../machine/clock.ts'
import { type LoadedRun, NOTHING_COUNTED } from '../runs/loaded-run.ts'
import type { AgentProgram } from './agent-program.ts'
import { answerFilesOf, filesFor } from './answer-files.ts'
import { withModel } from './chosen-model.ts'
import type { ToolsSeen } from './conversation.ts'
import type { Edges } from './edges.ts'
import { ownToolsAt } from './own-tools.ts'
import type { PermissionRequest } from './requests.ts'
import { type Seat, wireName } from './seat.ts'
import { watchLogins } from './watch-logins.ts'

/** Some take twenty seconds where five start at once, and more on a busy machine. */
const START_MS = 120_000
/** Who has not asked for the tools by then is told to write a file instead. */
const LIST_MS = 5_000
/** Who has greeted the server and does not ask within this, asks with the first prompt. */
const GREETED_MS = 2_000

export interface Opening {
  readonly loaded: LoadedRun
  readonly seat: Seat
  readonly agent: string
  readonly token: string
  readonly program: AgentProgram
  readonly resume: string | null
  /** Fires when the session is left meanwhile. */
  readonly left: AbortSignal
  readonly onUpdate: (update: Update) => void
  readonly onPermission: (request: Omit<PermissionRequest, 'agent' | 'ask'>) => Promise<PermissionKind | null>
  readonly onElicitation: (form: Elicitation) => Promise<Elicited>
  readonly onFormDeclined: (reason: string) => void
}

export async function openProgram(
  edges: Edges,
  opening: Opening,
): Promise<{ readonly opened: Opened; readonly held: Holder }> {
  const { loaded, seat, agent, token, resume } = opening
  const wanted = loaded.program.agents[agent]?.model ?? null
  const { program, asked } = withModel(opening.program, wanted)
  const { run, placed } = loaded
  const { step, visit, member } = seat
  const url = edges.mcpUrl()
  const places = answerFilesOf(edges, loaded, seat)
  const copies = await makePrivateCopies(edges.processEnvironment, loaded, `${agent}\n${member}`)
  const hold = await holdAgent(edges.processEnvironment, {
    loaded,
    step,
    agent,
    member,
    program,
    answers: places.own.dir,
    door: url === null ? null : Number(new URL(url).port),
    copies: copies?.dir ?? null,
  })
  if ('problem' in hold) return { opened: { trouble: 'failed', detail: hold.problem }, held: 'none' }
  const logins = hold.logins === null ? null : watchLogins(edges, { run, step, agent }, hold.logins)
  await mkdir(places.own.dir, { recursive: true, mode: 0o700 })
  const files = filesFor(places, hold.by)
  const tools = ownToolsAt(loaded.program, step)
  const note = (text: string): void => edges.log.write(run, { step, visit, who: agent, kind: 'note', text })
  const opened = await edges.driverFor(program).open({
    launch: {
      argv: program.argv,
      cwd: placed.placement.worktree,
      env: {
        ...hold.env,
        SIGNALBOX_RUN: run,
        SIGNALBOX_STEP: step,
        SIGNALBOX_VISIT: `${visit}`,
        SIGNALBOX_MEMBER: `${member}`,
        SIGNALBOX_AGENT: agent,
        SIGNALBOX_ANSWER_FILE: files.answer,
        SIGNALBOX_DECISION_FILE: files.decision,
        // Without an address, too: whoever holds it is an agent, and a command of ours it runs must know that.
        SIGNALBOX_SESSION_TOKEN: token,
        ...(url === null ? {} : { SIGNALBOX_SESSION_URL: new URL(url).origin }),
      },
      sandbox: tellingRefused(hold.sandbox, note),
    },
    resume,
    ...(asked === null ? {} : { model: asked }),
    mcp: url === null ? null : { name: TOOL_SERVER, url, token, bridge: edges.mcpBridge },
    counted: loaded.counted[member] ?? NOTHING_COUNTED,
    onUpdate: (update) => {
      logins?.seen()
      opening.onUpdate(update)
    },
    onPermission: (permission) =>
      opening.onPermission({ program, permission, tools, boxed: hold.sandbox !== null }),
    onElicitation: opening.onElicitation,
    onFormDeclined: opening.onFormDeclined,
    onWire:
      edges.trace === null
        ? null
        : (direction, message) => edges.trace?.(run, wireName(seat), direction, message),
    startMs: START_MS,
    signal: opening.left,
  })
  if ('trouble' in opened) await logins?.end()
  if ('trouble' in opened && opened.trouble === 'no-session' && resume !== null)
    return openProgram(edges, { ...opening, resume: null })
  if ('trouble' in opened) return { opened, held: hold.by }
  const { session } = opened
  const model = wanted ?? program.model
  const close = async (): Promise<void> => {
    await session.close()
    await logins?.end()
  }
  // Not all tell what they work with: then it is what they were told.
  const told = { ...(model === undefined ? {} : { model }), ...session.agent }
  return { opened: { session: { ...session, agent: told, close } }, held: hold.by }
}

/**
 * A session begins even if the MCP server cannot be reached: whether it was, is seen by the tools being asked for. Some
 * agents only greet the server now, and ask for the tools with the first prompt.
 */
export async function untilToolsListed(
  clock: Clock,
  tools: {
    readonly seen: () => ToolsSeen
    readonly onChange: (listener: () => void) => void
    readonly left: AbortSignal
  },
): Promise<void> {
  if (tools.seen() === 'listed' || tools.left.aborted) return
  await new Promise<void>((resolve) => {
    tools.left.addEventListener('abort', () => {
      callOff()
      resolve()
    })
    const wait = (ms: number) => clock.pause(ms, resolve)
    let callOff = wait(tools.seen() === 'greeted' ? GREETED_MS : LIST_MS)
    tools.onChange(() => {
      callOff()
      if (tools.seen() === 'listed') resolve()
      else callOff = wait(GREETED_MS)
    })
  })
  tools.onChange(() => {})
}
