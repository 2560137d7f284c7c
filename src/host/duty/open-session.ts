/** A live session for a seat: resumed where there was one, fresh where that is gone. */
import { isAbsolute } from 'node:path'
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
import { answerPlaces } from '../answers.ts'
import { hear } from '../ledger.ts'
import type { LoadedRun } from '../runs.ts'
import { addressOf, type Seat } from '../seat.ts'
import { environmentFor, sandboxFor } from '../surroundings.ts'
import { observe } from '../watch.ts'
import { ledgerStep, type Tools } from './duty.ts'

const START_MS = 60_000
/** Who has not asked for the tools by then is told to write a file instead. */
const LIST_MS = 5_000

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
  const sandbox = sandboxFor(tools.surroundings, loaded, {
    keeps: program.keeps,
    reads: [
      ...(program.reads ?? []),
      ...program.argv.filter((word) => isAbsolute(word) && !program.keeps.includes(word)),
    ],
  })
  const opened = await tools.driverFor(program).open({
    launch: {
      argv: program.argv,
      cwd: placed.placement.worktree,
      env: environmentFor(tools.surroundings, {
        ...program.env,
        SIGNALBOX_RUN: run,
        SIGNALBOX_STEP: seat.step,
        SIGNALBOX_VISIT: `${seat.visit}`,
        SIGNALBOX_MEMBER: `${seat.member}`,
        SIGNALBOX_AGENT: seat.agent,
        SIGNALBOX_ANSWER_FILE: answerPlaces(tools.surroundings.home, loaded, seat).file,
      }),
      sandbox,
    },
    resume,
    mcp: url === null ? null : { name: 'signalbox', url, token: seat.token },
    onUpdate: (update) => live(tools, seat, update),
    onPermission: (permission) =>
      decidePermission(tools, { seat, permission, program, boxed: sandbox !== null }),
    onWire:
      tools.trace === null
        ? null
        : (direction, message) => tools.trace?.(run, `${seat.step}.${seat.member}`, direction, message),
    startMs: START_MS,
  })
  if ('trouble' in opened && opened.trouble === 'no-session' && resume !== null)
    return openSession(tools, { ...request, resume: null })
  if ('session' in opened && url !== null && program.driver !== 'command') await toolsListed(tools, seat)
  return opened
}

/** A session begins even if the MCP server cannot be reached: whether it was, is seen by the tools being asked for. */
async function toolsListed({ clock }: Tools, seat: Seat): Promise<void> {
  if (seat.listed || !seat.takesTools) return
  await new Promise<void>((resolve) => {
    const callOff = clock.alarm(clock.now() + LIST_MS, resolve)
    seat.onListed = () => {
      callOff()
      resolve()
    }
  })
  seat.onListed = null
}

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
    case 'other':
      if (update.about === 'mcp not offered') seat.takesTools = false
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
  const rule = program.permissions === 'auto' ? (boxed ? 'allow' : 'ask') : program.permissions
  if (rule !== 'ask') return rule === 'allow' ? 'allow_once' : 'reject_once'
  const told = await tools.runs.tell(seat.run, [
    {
      type: 'attempt.ask',
      at: tools.clock.now(),
      ...addressOf(seat),
      payload: permissionDecision(seat.agent, permission),
    },
  ])
  if (!('events' in told)) return 'reject_once'
  const opened = told.events.find((event) => event.type === 'question.opened')
  if (opened === undefined) return 'reject_once'
  return new Promise((resolve) => seat.permissions.set(opened.question, resolve))
}

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
export function permissionPicked(pick: string): PermissionKind {
  return PERMISSION_KINDS.find((kind) => pick === kind) ?? 'reject_once'
}
