/** The features of the language that touch routing or counting: what shows that a runbook has one. */
import type { Field, TableRow } from '../../src/model/contract.ts'
import type { AgentStep, Member, Program, Step } from '../../src/model/program.ts'
import type { Arm, Route } from '../../src/model/route.ts'
import type { Json } from './write-routes.ts'

type Written = (program: Program, files: Readonly<Record<string, Json>>) => boolean

const someStep =
  (is: (step: Step, program: Program) => boolean): Written =>
  (program) =>
    Object.values(program.steps).some((step) => is(step, program))
const isWork = (step: Step): step is AgentStep => step.kind === 'agent' || step.kind === 'panel'
const someWork = (is: (step: AgentStep, program: Program) => boolean): Written =>
  someStep((step, program) => isWork(step) && is(step, program))
const someMember = (is: (member: Member, step: AgentStep) => boolean): Written =>
  someWork((step) => step.members.some((member) => is(member, step)))
const someArm = (is: (arm: Arm, index: number, outcome: string) => boolean): Written =>
  someStep(({ routes }) =>
    Object.entries(routes).some(
      ([outcome, { arms, origin }]) =>
        origin !== 'built-in' && arms.some((arm, index) => is(arm, index, outcome)),
    ),
  )
const panelOf = (size: number): Written =>
  someWork(({ kind, members }) => kind === 'panel' && members.length === size)
const settles = (is: (step: AgentStep) => boolean): Written =>
  someWork((step) => step.settleOn !== null && is(step))
const expects = (expected: string): Written => someMember(({ gate }) => gate?.expect === expected)
const countersOf = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ arms }) => arms.flatMap(({ bound }) => (bound?.kind === 'max' ? [bound.counter] : [])))
/** A counter of its own is named after its arm, with dots. */
export const isShared = (counter: string): boolean => !counter.includes('.')
const counted = (restarts: Program['restarts']): string[] => Object.values(restarts ?? {}).flat()
export const isNamed = (rows: readonly TableRow[], name: string): boolean =>
  rows.some(({ when }) => name in when)
export const names = (rows: readonly TableRow[], fields: readonly Field[]): boolean =>
  fields.some(({ name }) => isNamed(rows, name))
const stepsIn = (files: Readonly<Record<string, Json>>): Json[] =>
  Object.values(files).flatMap(({ steps }) => Object.values(steps as Record<string, Json>))
const isAdvisory = ({ advisory }: Member): boolean => advisory

export const WRITTEN: Readonly<Record<string, Written>> = {
  'agent step': someStep(({ kind }) => kind === 'agent'),
  'panel of one': panelOf(1),
  'panel of two': panelOf(2),
  'panel of three': panelOf(3),
  'advisory member': someWork(({ members }) => members.some(isAdvisory) && !members.every(isAdvisory)),
  'advisers only': someWork(({ members }) => members.every(isAdvisory)),
  'check by exit code': someStep((step) => step.kind === 'check' && step.answers === 'exit'),
  'check by JSON': someStep((step) => step.kind === 'check' && step.answers === 'json'),
  'decide step': someStep(({ kind }) => kind === 'decide'),
  'flow step': someStep(({ kind }) => kind === 'flow'),
  'flow within a flow': ({ steps }) => Object.keys(steps).some((name) => name.split('/').length > 2),
  'decision table': someStep(({ contract }) => contract.rows.length > 0),
  'row with a name': (_, files) =>
    stepsIn(files).some(({ when }) => ((when ?? []) as Json[]).some(({ name }) => name !== undefined)),
  'routed by a field': someStep(({ contract: { rows, fields } }) => names(rows, fields)),
  'routed by a field of a handoff': someStep(({ contract: { rows, handoff } }) =>
    names(rows, handoff?.fields ?? []),
  ),
  'row for what is absent': someStep(({ contract: { rows } }) =>
    rows.some(({ when }) => Object.values(when).some((values) => values.includes('absent'))),
  ),
  'optional variable': someStep(({ contract: { variables } }) => variables.some(({ optional }) => optional)),
  'confirm in a table': someStep(
    ({ contract: { rows, variables } }) =>
      rows.length > 0 && variables.some(({ options }) => options.some(({ confirm }) => confirm)),
  ),
  'confirm of an option': someStep(
    ({ contract: { rows, variables } }) =>
      rows.length === 0 && variables.some(({ options }) => options.some(({ confirm }) => confirm)),
  ),
  'asks nothing': someWork(({ contract }) => contract.variables.length === 0),
  'field for an option': someStep(({ contract }) =>
    contract.fields.some(({ requiredFor }) => requiredFor.length > 0),
  ),
  max: someArm(({ bound }) => bound?.kind === 'max'),
  spend: someArm(({ bound }) => bound?.kind === 'spend'),
  'counter that steps share': ({ steps }) => {
    const users = Object.values(steps).flatMap(({ name, routes }) =>
      countersOf(Object.values(routes)).map((counter) => ({ name, counter })),
    )
    return users.some(({ name, counter }) =>
      users.some((other) => other.counter === counter && other.name !== name),
    )
  },
  'shared counter of a fault': someStep(({ routes, faults }) =>
    countersOf(faults.map((fault) => routes[fault]!)).some(isShared),
  ),
  'max for each entry': ({ restarts }) => counted(restarts).some((counter) => !isShared(counter)),
  'counter for each entry': ({ restarts, steps }) => {
    const used = Object.values(steps).flatMap(({ routes }) => countersOf(Object.values(routes)))
    return counted(restarts).some((counter) => isShared(counter) && used.includes(counter))
  },
  'spend that forgets': someArm(({ bound }) => bound?.kind === 'spend' && bound.forgets === true),
  'chain of bounds': someArm(({ bound }, index) => bound !== null && index > 0),
  'route to ask': someArm(({ to }, index) => to.kind === 'ask' && index === 0),
  'then ask': someArm(({ to }, index) => to.kind === 'ask' && index > 0),
  'fault routed by the step': someStep(({ routes, faults }) =>
    faults.some((fault) => routes[fault]!.origin === 'step'),
  ),
  'fault routed by the flow': someStep(({ routes, faults }) =>
    faults.some((fault) => routes[fault]!.origin === 'flow'),
  ),
  'else of the flow': (_, files) => 'else' in ((files['']?.['on'] ?? {}) as Json),
  'else of a step': (_, files) => stepsIn(files).some(({ on }) => 'else' in ((on ?? {}) as Json)),
  interventions: ({ budgets }) => (budgets['interventions'] ?? 0) > 0,
  'no interventions': ({ budgets }) => budgets['interventions'] === 0,
  limits: ({ limits }) => limits.costUsd !== null || limits.tokens !== null,
  'limits of a flow within': (_, files) =>
    Object.entries(files).some(([name, file]) => name !== '' && 'limits' in file),
  'time of an agent': someMember(({ timeLimitMs }) => timeLimitMs !== null),
  'time of a check': someStep((step) => step.kind === 'check' && step.timeLimitMs !== null),
  writes: someWork(({ members }, { agents }) =>
    members.some(({ agent }) => (agents[agent]?.writes ?? null) !== null),
  ),
  'writes what a step named': ({ agents }) =>
    Object.values(agents).some(({ writes }) => writes?.some((grant) => typeof grant !== 'string')),
  judge: someWork(({ members }, { agents }) =>
    members.some(({ agent }) => agents[agent]?.judge !== undefined),
  ),
  'advice looked up': (_, files) =>
    stepsIn(files).some(({ prompt }) => typeof prompt === 'string' && prompt.includes('.advice')),
  setup: ({ setup }) => setup !== undefined,
  'trial of a gate': someStep(({ name }) => name.includes('.trial')),
  'gate that should pass': expects('pass'),
  'gate that should fail': expects('fail'),
  'gate that should run': expects('either'),
  'gate that nobody tries': expects('none'),
  'gate in a flow within': someWork(
    ({ name, members }) => name.includes('/') && members.some(({ gate }) => gate !== null),
  ),
  gate: someMember(({ gate }) => gate !== null),
  'gate without returns': someMember(({ gate }) => gate?.max === 0),
  'gate for some': someMember(
    ({ gate }, { contract }) =>
      gate !== null && gate.guards.length < (contract.variables[0]?.options.length ?? 0),
  ),
  nudges: someMember(({ nudges }) => nudges > 0),
  questions: someMember(({ questions }) => questions > 0),
  check_in: someMember(({ checkIn }) => checkIn !== null),
  'on_signal: escalate': someMember(({ signal }) => signal === 'escalate'),
  'on_signal: fail': someMember(({ signal }) => signal === 'fail'),
  handoff: someWork(({ contract }) => contract.handoff !== null),
  'handoff that may be partial': someWork(({ contract }) => contract.handoff?.partial === true),
  'handoff with a fallback': someWork(({ contract }) => (contract.handoff?.fallback ?? null) !== null),
  'settling agent': settles(({ kind }) => kind === 'agent'),
  'settling agent with a gate': settles(({ members }) => members[0]?.gate !== null),
  'settling panel': settles(({ members }) => members.length > 1),
  'settling beside a budget': settles(({ routes }) =>
    Object.values(routes).some(
      ({ arms, origin }) => origin === 'step' && arms.length > 1 && arms[0]!.bound?.kind === 'spend',
    ),
  ),
  'deadline that expires': someStep((step) => step.kind === 'decide' && step.deadline.expireMs !== null),
  'deadline that reminds': someStep((step) => step.kind === 'decide' && step.deadline.remindMs.length > 0),
  'deadline of the flow': someStep(
    (step) => step.kind !== 'decide' && step.kind !== 'flow' && step.deadline !== undefined,
  ),
  'working hours': someStep((step) => step.kind === 'decide' && step.deadline.hours !== undefined),
  'gathered context': someStep(
    (step) => step.kind === 'decide' && step.context.some(({ kind }) => kind === 'command'),
  ),
  'decision by template': someStep((step) => step.kind === 'decide' && step.template !== null),
  unattended: ({ unattended }) => unattended,
  'end of its own': someArm(({ to }) => to.kind === 'end' && to.end === 'shelved'),
}
