/** The part of the language that says how agents work: by the step, or once for all of an agent's steps. */
import { PRIME_SOURCES, type PrimeSource } from '../../model/program.ts'
import { command } from './command-language.ts'
import { EXPECT } from './preparation-language.ts'
import { ROLE } from './role-language.ts'
import { duration, either, flag, integer, list, object, oneOf, text } from './shapes.ts'

const gate = either(
  'A command run by us when the agent says it is done. A failure sends it back with the output.',
  command('The gate.'),
  object(
    'A gate.',
    {
      run: command('The gate.'),
      max: integer(
        0,
        100,
        'How often a failure sends the agent back before it counts as `failed`. 3 by default.',
      ),
      for: list(
        text('An option.'),
        'Only these answers (options, or rows of a table) are gated. All by default.',
        1,
      ),
      time: duration('How long the command may take.'),
      expect: EXPECT,
    },
    ['run'],
  ),
)

const onSignal = either(
  'What happens when the agent says it is done.',
  oneOf(
    ['done', 'escalate', 'fail'],
    '`done`: believe it; `escalate`: ask a person; `fail`: count it as `failed`.',
  ),
  object(
    'What happens when the agent says it is done.',
    {
      action: oneOf(['done', 'gate', 'escalate', 'fail'], 'done, gate, escalate or fail.'),
      run: command('The gate, with the action `gate`.'),
      max: integer(0, 100, 'With the action `gate`: how often a failure sends the agent back.'),
      expect: EXPECT,
    },
    ['action'],
  ),
)

const checkIn = either(
  'The agent must have offered a person a decision before it may say it is done. Off in unattended flows.',
  flag('On with its defaults, or off.'),
  object('Check-in.', {
    template: text('The decision kind to offer. `checkpoint` by default.'),
    blocks: integer(1, 10, 'How often in a visit a "done" is held back. 1 by default.'),
    cool_down: duration('A question or a hold this recent counts as a check-in. 20m by default.'),
  }),
)

const stuck = either(
  'When the agent comes no further although it is at work. It is told once; as much again is the fault `stalled`.',
  flag('On with its defaults, as when left out, or off.'),
  object('When it comes no further.', {
    calls: integer(
      2,
      1000,
      'How often it may make the same tool call, or up to four of them in turn, with the same results, while no file changes. 12 by default.',
    ),
    turns: integer(
      1,
      100,
      'How many turns in a row may change no file, give no other answer and make no new tool call. 3 by default.',
    ),
  }),
)

export const workKeys = {
  gate,
  on_signal: onSignal,
  check_in: checkIn,
  nudges: integer(
    0,
    20,
    'How often a wrong or missing answer is told to the agent before it counts as `invalid`. 2 by default.',
  ),
  questions: integer(0, 50, 'How many questions the agent may put to a person in one visit. 2 by default.'),
  after_asking: oneOf(
    ['go_on', 'stop'],
    'What becomes of an agent that works on in the turn in which it has asked a person. `go_on`: it is recorded, the default; `stop`: it is ended until it is answered.',
  ),
  time: duration('Working time allowed in one visit; waiting for a person does not count.'),
  stall: duration('How long the agent may give no sign of life.'),
  stuck,
}

export const prompt = text(
  'What the agent is told: text, or the path of a `.md` or `.txt` file beside the runbook.',
  ['prompts/develop.md'],
)

const PRIMED: Record<PrimeSource, string> = {
  startup: 'At startup.',
  resume: 'At resume.',
  compact: 'With the next prompt after it compacted its context, where the agent tells of that.',
  signal: 'When it said it was done and was sent back.',
}

export const agent = object('An agent of this flow: a role, with its boundary.', {
  use: text('Which program plays it: a name from your own configuration. `default` when left out.'),
  model: text(
    'The model it works with, by the name its program has for it. As its program is set up when left out.',
    ['claude-sonnet-4-5'],
  ),
  prompt: { ...prompt, doc: 'Who it is. The step says what to do now.' },
  ...ROLE,
  prime: either('Commands whose output is given to the agent at certain moments.', command('At startup.'), {
    ...object(
      'Commands whose output is given to the agent at certain moments.',
      Object.fromEntries(PRIME_SOURCES.map((source) => [source, command(PRIMED[source])])),
    ),
    absent: { clear: 'No agent tells when it clears its context, so nothing would ever be run then.' },
  }),
  ...workKeys,
})
