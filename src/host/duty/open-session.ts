/** A live session for a seat: resumed where there was one, fresh where that is gone. */
import { mkdir } from 'node:fs/promises'
import {
  type Opened,
  PERMISSION_KINDS,
  type Permission,
  type PermissionKind,
  type Update,
} from '../../drivers/index.ts'
import { PERMISSION_KIND } from '../../engine/index.ts'
import { firstCharacters } from '../../model/characters.ts'
import { CAPS } from '../../model/decision.ts'
import type { AgentProgram } from '../agent-program.ts'
import { answerPlaces, filesFor } from '../answers.ts'
import { holdAgent } from '../confinement/hold.ts'
import { tellingRefused } from '../confinement/refused.ts'
import { hear } from '../ledger.ts'
import { type LoadedRun, NOTHING_COUNTED } from '../loaded-run.ts'
import { addressOf, type Seat, seatName } from '../seat.ts'
import { observe } from '../watch.ts'
import { askInTurn, decideForm } from './ask-in-turn.ts'
import { ledgerStep, type Tools } from './duty.ts'

const START_MS = 60_000
/** Who has not asked for the tools by then is told to write a file instead. */
const LIST_MS = 5_000
/** Who has greeted the server and does not ask within this, asks with the first prompt. */
const GREETED_MS = 2_000

export interface SessionRequest {
  readonly loaded: LoadedRun
  readonly seat: Seat
  readonly program: AgentProgram
  readonly resume: string | null
}

export async function openSession(tools: Tools, request: SessionRequest): Promise<Opened> {
  const { loaded, seat, program, resume } = request
  const { run, placed } = loaded
  const url = tools.mcpUrl()
  const places = answerPlaces(tools.surroundings.home, loaded, seat)
  const { step, agent, member } = seat
  const hold = holdAgent(tools.surroundings, {
    loaded,
    step,
    agent,
    member,
    program,
    answers: places.own.dir,
    door: url === null ? null : Number(new URL(url).port),
  })
  if ('problem' in hold) return { trouble: 'failed', detail: hold.problem }
  seat.confined = hold.by
  await mkdir(places.own.dir, { recursive: true, mode: 0o700 })
  const files = filesFor(places, hold.by)
  const opened = await tools.driverFor(program).open({
    launch: {
      argv: program.argv,
      cwd: placed.placement.worktree,
      env: {
        ...hold.env,
        SIGNALBOX_RUN: run,
        SIGNALBOX_STEP: seat.step,
        SIGNALBOX_VISIT: `${seat.visit}`,
        SIGNALBOX_MEMBER: `${seat.member}`,
        SIGNALBOX_AGENT: seat.agent,
        SIGNALBOX_ANSWER_FILE: files.answer,
        SIGNALBOX_DECISION_FILE: files.decision,
        // Without an address, too: whoever holds it is an agent, and a command of ours it runs must know that.
        SIGNALBOX_SESSION_TOKEN: seat.token,
        ...(url === null ? {} : { SIGNALBOX_SESSION_URL: new URL(url).origin }),
      },
      sandbox: tellingRefused(hold.sandbox, (text) => noteOf(tools, seat, text)),
    },
    resume,
    mcp: url === null ? null : { name: 'signalbox', url, token: seat.token, bridge: tools.mcpBridge },
    counted: loaded.counted[seat.member] ?? NOTHING_COUNTED,
    onUpdate: (update) => live(tools, seat, update),
    onPermission: (permission) =>
      decidePermission(tools, { seat, permission, program, boxed: hold.sandbox !== null }),
    onElicitation: (form) => decideForm(tools, seat, form),
    onWire:
      tools.trace === null
        ? null
        : (direction, message) => tools.trace?.(run, seatName(seat), direction, message),
    startMs: START_MS,
  })
  if ('trouble' in opened && opened.trouble === 'no-session' && resume !== null)
    return openSession(tools, { ...request, resume: null })
  if ('session' in opened && url !== null && program.driver !== 'command') await toolsListed(tools, seat)
  return opened
}

/**
 * A session begins even if the MCP server cannot be reached: whether it was, is seen by the tools being asked for. Some
 * agents only greet the server now, and ask for the tools with the first prompt.
 */
async function toolsListed({ clock }: Tools, seat: Seat): Promise<void> {
  if (seat.tools === 'listed') return
  await new Promise<void>((resolve) => {
    const wait = (ms: number) => clock.alarm(clock.now() + ms, resolve)
    let callOff = wait(seat.tools === 'greeted' ? GREETED_MS : LIST_MS)
    seat.onTools = () => {
      callOff()
      if (seat.tools === 'listed') resolve()
      else callOff = wait(GREETED_MS)
    }
  })
  seat.onTools = null
}

const noteOf = ({ log }: Tools, { run, step, visit, agent }: Seat, text: string): void =>
  log.write(run, { step, visit, who: agent, kind: 'note', text })

/** A sign of life: logged, watched for loops, and its price told to the run. */
function live(tools: Tools, seat: Seat, update: Update): void {
  const at = tools.clock.now()
  seat.aliveAt = at
  seat.watched = observe(seat.watched, update)
  if (seat.following !== null) ledgerStep(tools, seat, hear(seat.following, update, at))
  const { step, visit } = seat
  const say = (kind: 'text' | 'thought' | 'tool', text: string): void =>
    tools.log.write(seat.run, { step, visit, who: seat.agent, kind, text })
  switch (update.kind) {
    case 'text':
    case 'thought':
      say(update.kind, update.text)
      return
    case 'tool':
      if (update.status !== 'in_progress') say('tool', `${update.title} (${update.status})`)
      return
    case 'usage': {
      const { costUsd, tokens } = update
      const telling = tools.runs.tell(seat.run, [
        { type: 'attempt.use', at, ...addressOf(seat), costUsd, tokens },
      ])
      seat.telling.add(telling)
      const told = (): boolean => seat.telling.delete(telling)
      // Whoever waits for the end of the turn waits for this too, and hears of what went wrong.
      telling.then(told, told)
      return
    }
    case 'compacted':
      seat.compacted = true
      return
    case 'other':
      return
  }
}

interface PermissionCase {
  readonly seat: Seat
  readonly permission: Permission
  readonly program: AgentProgram
  readonly boxed: boolean
}

/** By the user's rule, or by a person: then the turn stays open until they have answered. */
async function decidePermission(tools: Tools, about: PermissionCase): Promise<PermissionKind | null> {
  const { seat, permission, program, boxed } = about
  if (OWN_TOOL.test(permission.title.trim())) return 'allow_once'
  const rule = program.permissions === 'auto' ? (boxed ? 'allow' : 'ask') : program.permissions
  if (rule !== 'ask') return rule === 'allow' ? 'allow_once' : 'reject_once'
  const payload = permissionDecision(seat.agent, permission)
  const asked = await askInTurn(tools, seat, { payload, door: 'permission', received: permission.received })
  if (asked === null) return null
  return 'rejected' in asked ? 'reject_once' : permissionPicked(asked.pick)
}

/** Our own tools, as agents call them: nobody should be asked whether they may be asked. */
const OWN_TOOL =
  /^(?:mcp__)?signalbox(?:__?|: )(?:report[_ ]outcome|(?:create|wait)[_ ]decision|hand[_ ]off|read[_ ]run)$/i

/** A request in the words of a decision. */
function permissionDecision(agent: string, { title, input, options }: Permission): object {
  const offered = new Map(options.map(({ kind, name }) => [kind, name]))
  // Whatever an agent offers, it can always be allowed this once, or not.
  for (const kind of ['allow_once', 'reject_once'] as const)
    if (!offered.has(kind)) offered.set(kind, NAMES[kind])
  return {
    kind: PERMISSION_KIND,
    headline: firstCharacters(title.trim() || 'Permission', CAPS.headline),
    question: `May ${firstCharacters(agent, 60)} do this?`,
    context: firstCharacters(input === undefined ? '' : JSON.stringify(input, null, 2), CAPS.context),
    options: [...offered].map(([key, label]) => ({
      key,
      label: firstCharacters(label.trim() || NAMES[key], CAPS.label),
      reversible: !key.startsWith('allow'),
    })),
    urgency: 'high',
  }
}

const NAMES: Readonly<Record<PermissionKind, string>> = {
  allow_once: 'Allow once',
  allow_always: 'Allow always',
  reject_once: 'Reject once',
  reject_always: 'Reject always',
}

/** What a person picked, as the kind of permission it stands for; anything else is no permission. */
function permissionPicked(pick: string): PermissionKind {
  return PERMISSION_KINDS.find((kind) => pick === kind) ?? 'reject_once'
}
