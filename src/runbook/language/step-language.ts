/**
 * The part of the language that says what a step is. Every key says at which kinds of step it stands: what a kind does
 * not use is an error there, in the checker, in the editor's schema and in the manual alike.
 */
import type { StepKind } from '../../model/program.ts'
import type { Spelled } from '../spelling.ts'
import { asks, fields, options } from './answer-language.ts'
import { command } from './command-language.ts'
import { DEADLINE } from './deadline-language.ts'
import { boundKeys, on, route, target, thenRoute } from './route-language.ts'
import type { ObjectShape, Shape } from './shape-kinds.ts'
import { either, flag, list, map, object, oneOf, text } from './shapes.ts'
import { nextShape, OPTIONAL, rowShape } from './table-language.ts'
import { prompt, workKeys } from './work-language.ts'

/** How each kind of step is written; the key is what makes it one. */
export const KIND_FORMS: Readonly<Record<StepKind, Readonly<Record<string, Spelled>>>> = {
  agent: { agent: 'NAME' },
  panel: { panel: ['NAME', '…'] },
  check: { check: 'COMMAND' },
  decide: { decide: 'QUESTION' },
  flow: { flow: 'FILE' },
}
export const STEP_KINDS = Object.keys(KIND_FORMS) as readonly StepKind[]

const member = either(
  'A member of the panel.',
  text('The agent.'),
  object(
    'A member of the panel.',
    {
      agent: text('The agent.'),
      advisory: flag('Recorded, and never blocks.'),
      prompt,
    },
    ['agent'],
  ),
)

const context = either(
  'What the person is shown: the output of a command, or named items.',
  command('Its output is shown.'),
  map(
    'item',
    either(
      'An item of the context.',
      text('Text with look-ups.'),
      object('The output of a command.', { run: command('Its output is shown.') }, ['run']),
    ),
    'Named items: text, or a map with `run` and a command.',
  ),
)

interface StepKey {
  readonly at: readonly StepKind[]
  readonly shape: Shape
}

const at = (kinds: readonly StepKind[], shape: Shape): StepKey => ({ at: kinds, shape })

const EVERYWHERE = STEP_KINDS
const WORK: readonly StepKind[] = ['agent', 'panel']
const ANSWER: readonly StepKind[] = [...WORK, 'check', 'decide']

const STEP_KEYS: Readonly<Record<string, StepKey>> = {
  say: at(EVERYWHERE, text('What this step is for.')),
  agent: at(['agent'], text('The agent that works on it.')),
  panel: at(['panel'], list(member, 'Several agents on one question. The worst blocking answer wins.', 1)),
  check: at(['check'], command('A command; its exit code (or its JSON) answers.')),
  decide: at(
    ['decide'],
    either(
      'The question to a person.',
      text('The question to a person.'),
      flag('`true`: the template says what to ask.'),
    ),
  ),
  flow: at(['flow'], text('Another runbook, by its path. Its ends are the options of this step.')),
  prompt: at(WORK, prompt),
  asks: at(ANSWER, asks),
  optional: at(ANSWER, OPTIONAL),
  options: at(EVERYWHERE, options),
  when: at(
    ANSWER,
    list(
      rowShape({ to: target, ...boundKeys, then: thenRoute(2) }),
      'The decision table, first fitting row wins.',
      1,
    ),
  ),
  fields: at(ANSWER, fields),
  next: at(ANSWER, nextShape(target, route('Where this value leads.'))),
  on: at(ANSWER, on),
  gives: at(WORK, text('The handoff this step must give.')),
  settle_on: at(
    WORK,
    text(
      'A `findings` field. A round that brings no news, or nothing material, ends the loop: `then` is taken.',
    ),
  ),
  gate: at(WORK, workKeys.gate),
  on_signal: at(WORK, workKeys.on_signal),
  check_in: at(WORK, workKeys.check_in),
  nudges: at(WORK, workKeys.nudges),
  questions: at(WORK, workKeys.questions),
  after_asking: at(WORK, workKeys.after_asking),
  time: at([...WORK, 'check'], workKeys.time),
  stall: at(WORK, workKeys.stall),
  stuck: at(WORK, workKeys.stuck),
  answers: at(
    ['check'],
    oneOf(['exit', 'json'], 'How a check answers: by exit code (the default) or by the JSON it prints.'),
  ),
  writes: at(
    ['check'],
    list(
      text('A glob; later ones win over earlier ones, `!` forbids.'),
      'What a check may change of the files, to be committed: formatters, generators. A check without it judges a clean checkout, and leaves nothing.',
      1,
    ),
  ),
  issues: at(
    ['check'],
    oneOf(
      ['write'],
      '`write`: the command finds the issues as they are now, and what it changes of them is committed on the branch `signalbox/issues`. Nothing else that it writes is kept.',
    ),
  ),
  context: at(['decide'], context),
  template: at(['decide'], text('The decision kind: its hint, required context and options.')),
  deadline: at(['decide'], { ...DEADLINE, meant: 'expire' }),
  with: at(
    ['flow'],
    map(
      'variable',
      { kind: 'any-scalar', doc: 'A value, with look-ups.' },
      'The variables given to the flow.',
    ),
  ),
}

const keysAt = (kind: StepKind): readonly string[] =>
  Object.keys(STEP_KEYS).filter((key) => STEP_KEYS[key]!.at.includes(kind))

/** What a step of each kind takes. */
export const KEYS_AT: Readonly<Record<StepKind, readonly string[]>> = {
  agent: keysAt('agent'),
  panel: keysAt('panel'),
  check: keysAt('check'),
  decide: keysAt('decide'),
  flow: keysAt('flow'),
}

export const STEP: ObjectShape = {
  ...object(
    'A step: a question put to an agent, a panel, a command or a person.',
    Object.fromEntries(Object.entries(STEP_KEYS).map(([key, { shape }]) => [key, shape])),
  ),
  kinds: KEYS_AT,
}
