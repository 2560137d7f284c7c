/** Agents, and the agents a step puts to its question, with every default filled in. */
import { parseDuration } from '../../model/duration.ts'
import { isModelName, MODEL_NAME_HELP } from '../../model/model-name.ts'
import { didYouMean } from '../../model/nearest.ts'
import {
  type Agent,
  type CheckIn,
  type Gate,
  type Member,
  PRIME_SOURCES,
  type Signal,
  type StuckLimits,
} from '../../model/program.ts'
import { badName, isName } from '../language/bad-name.ts'
import { brief } from '../language/shape.ts'
import { booleanOf, childOf, type Entry, itemsOf, numberOf, type Tree, textOf } from '../tree.ts'
import { expectationOf } from './expectation.ts'
import { roleOf } from './roles.ts'
import { commandAt, namesIn, promptAt, type Scope, spotOf, unknown } from './scope.ts'

const NUDGES = 2
const QUESTIONS = 2
const GATE_MAX = 3
const COOL_DOWN_MS = 20 * 60_000
const STUCK_CALLS = 12
const STUCK_TURNS = 3

export function agentOf(scope: Scope, name: string): Agent {
  const tree = childOf(childOf(scope.root, 'agents'), name)
  const owner = { kind: 'agent', agent: name } as const
  const prime = childOf(tree, 'prime')
  const prompt = childOf(tree, 'prompt')
  const primes = PRIME_SOURCES.flatMap((source) => {
    const command =
      prime?.kind === 'scalar' ? (source === 'startup' ? prime : undefined) : childOf(prime, source)
    const text = textOf(command)
    return command === undefined || text === undefined
      ? []
      : [[source, commandAt(scope, command, text, owner)] as const]
  })
  const promptText = textOf(prompt)
  const model = modelOf(scope, tree)
  return {
    use: textOf(childOf(tree, 'use')) ?? 'default',
    ...(model === undefined ? {} : { model }),
    prompt:
      prompt === undefined || promptText === undefined ? null : promptAt(scope, prompt, promptText, owner),
    ...roleOf(scope, tree, name),
    prime: Object.fromEntries(primes),
  }
}

/** A name for one word of a command line or a variable: nothing else is taken for one. */
function modelOf(scope: Scope, agent: Tree | undefined): string | undefined {
  const tree = childOf(agent, 'model')
  const model = textOf(tree)
  if (tree === undefined || model === undefined || isModelName(model)) return model
  scope.report.add({
    code: 'bad-name',
    ...spotOf(tree),
    message: `${JSON.stringify(model)} cannot be the name of a model.`,
    help: MODEL_NAME_HELP,
  })
  return undefined
}

/** The members of an agent step or a panel. */
export function membersOf(scope: Scope, step: Entry, outcomes: readonly string[]): Member[] {
  const single = childOf(step.value, 'agent')
  const seats = single === undefined ? itemsOf(childOf(step.value, 'panel')) : [single]
  return seats.map((seat) => {
    const name = textOf(seat) ?? textOf(childOf(seat, 'agent')) ?? ''
    const agents = childOf(scope.root, 'agents')
    // What is no text was told already.
    if (name !== '' && !isName(name)) unfitAgent(scope, seat, name)
    else if (name !== '' && !namesIn(scope.root, 'agents').has(name))
      scope.report.add({
        code: 'undeclared-agent',
        severity: 'warning',
        ...spotOf(seat),
        message: `The agent "${name}" is not declared, so it gets your default program and may write anywhere.`,
        help: [
          didYouMean(name, namesIn(scope.root, 'agents')),
          `Declare it: ${scope.report.spell({ agents: { [name]: { use: 'default', writes: ['…'] } } })}.`,
        ]
          .filter((part) => part !== undefined)
          .join(' '),
      })
    return memberOf(scope, { step, agent: childOf(agents, name), seat, name, outcomes })
  })
}

/** `panel: [simplify advisory]`, or `agent = var.who`: what is no name is never an agent of that name. */
function unfitAgent(scope: Scope, seat: Tree, name: string): void {
  const { message, help } = badName(name, { noun: 'agent', shown: brief(name) })
  const [, adviser] = /^(\S+)\s+advisory$/.exec(name) ?? []
  scope.report.add({
    code: 'bad-name',
    ...spotOf(seat),
    message,
    help: name.includes('${')
      ? 'Who works at a step is fixed when it is written: name one of the agents.'
      : adviser === undefined
        ? help
        : `Write \`${scope.report.spell({ panel: [{ agent: adviser, advisory: true }] })}\`.`,
  })
}

interface Seat {
  readonly step: Entry
  readonly agent: Tree | undefined
  readonly seat: Tree
  readonly name: string
  readonly outcomes: readonly string[]
}

function memberOf(scope: Scope, { step, agent, seat, name, outcomes }: Seat): Member {
  const own = (key: string): Tree | undefined => childOf(step.value, key) ?? childOf(agent, key)
  const prompt = childOf(seat, 'prompt') ?? childOf(step.value, 'prompt')
  const promptText = textOf(prompt)
  const { signal, gate } = signalOf(scope, step, agent, outcomes)
  return {
    agent: name,
    advisory: booleanOf(childOf(seat, 'advisory')) ?? false,
    prompt:
      prompt === undefined || promptText === undefined
        ? null
        : promptAt(scope, prompt, promptText, atStep(step)),
    signal,
    gate,
    checkIn: checkInOf(scope, own('check_in')),
    nudges: numberOf(own('nudges')) ?? NUDGES,
    questions: numberOf(own('questions')) ?? QUESTIONS,
    afterAsking: textOf(own('after_asking')) === 'stop' ? 'stop' : 'go_on',
    timeLimitMs: durationOf(own('time')),
    stallMs: durationOf(own('stall')),
    stuck: stuckOf(own('stuck')),
  }
}

export const durationOf = (tree: Tree | undefined): number | null => {
  const text = textOf(tree)
  return text === undefined ? null : parseDuration(text)
}

function signalOf(scope: Scope, step: Entry, agent: Tree | undefined, outcomes: readonly string[]) {
  // What a step says of its gate or signal replaces what the agent says of either.
  const from = [step.value, agent].find(
    (tree) => childOf(tree, 'gate') !== undefined || childOf(tree, 'on_signal') !== undefined,
  )
  const gateTree = childOf(from, 'gate')
  const onSignal = childOf(from, 'on_signal')
  const action = textOf(onSignal) ?? textOf(childOf(onSignal, 'action')) ?? 'done'
  const wantsGate = action === 'gate'
  if (gateTree !== undefined && wantsGate)
    scope.report.add({
      code: 'two-gates',
      ...spotOf(onSignal!),
      message: `\`gate\` and \`${scope.report.spell({ on_signal: { action: 'gate' } })}\` say the same thing twice.`,
      help: 'Keep one of them.',
    })
  if (wantsGate && textOf(childOf(onSignal, 'run')) === undefined)
    scope.report.add({
      code: 'missing-key',
      ...spotOf(onSignal!),
      message: 'A gate has no command.',
      help: `Write the command that must succeed: \`${scope.report.spell({ on_signal: { action: 'gate', run: 'COMMAND' } })}\`.`,
    })
  const signal: Signal = action === 'escalate' || action === 'fail' ? action : 'done'
  const source = gateTree ?? (wantsGate ? onSignal : undefined)
  return { signal, gate: source === undefined ? null : gateOf(scope, source, step, outcomes) }
}

const atStep = (step: Entry) => ({ kind: 'step', step: step.key, hasAgent: true }) as const

export const gateSpot = (step: string): string => `gate ${step}`

function gateOf(scope: Scope, tree: Tree, step: Entry, outcomes: readonly string[]): Gate | null {
  const run = tree.kind === 'scalar' ? tree : childOf(tree, 'run')
  const command = textOf(run)
  if (run === undefined || command === undefined) return null
  scope.spots.set(gateSpot(step.key), spotOf(run))
  const guards = childOf(tree, 'for')
  for (const item of itemsOf(guards)) {
    const option = textOf(item) ?? ''
    if (!outcomes.includes(option)) unknown(scope, 'unknown-option', item, 'option', option, outcomes)
  }
  const template = commandAt(scope, run, command, atStep(step))
  return {
    run: template,
    max: numberOf(childOf(tree, 'max')) ?? GATE_MAX,
    guards: guards === undefined ? [...outcomes] : itemsOf(guards).map((item) => textOf(item) ?? ''),
    timeLimitMs: durationOf(childOf(tree, 'time')),
    expect: expectationOf(scope, tree, { step: step.key, run: template }),
  }
}

function stuckOf(tree: Tree | undefined): StuckLimits | null {
  if (booleanOf(tree) === false) return null
  return {
    calls: numberOf(childOf(tree, 'calls')) ?? STUCK_CALLS,
    turns: numberOf(childOf(tree, 'turns')) ?? STUCK_TURNS,
  }
}

function checkInOf(scope: Scope, tree: Tree | undefined): CheckIn | null {
  if (tree === undefined || booleanOf(tree) === false || scope.unattended) return null
  const template = childOf(tree, 'template')
  const name = textOf(template) ?? 'checkpoint'
  if (template !== undefined && !Object.hasOwn(scope.templates, name))
    unknown(scope, 'unknown-template', template, 'template', name, Object.keys(scope.templates))
  return {
    template: name,
    blocks: numberOf(childOf(tree, 'blocks')) ?? 1,
    coolDownMs: durationOf(childOf(tree, 'cool_down')) ?? COOL_DOWN_MS,
  }
}
