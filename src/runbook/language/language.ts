/**
 * The runbook language: every key, its type and what it means. The sentences are the editor's hover help
 * (`signalbox schema`) and the second half of the diagnostics.
 */
import { FIELD_TYPES } from '../../model/contract.ts'
import { PRIME_SOURCES, type PrimeSource } from '../../model/program.ts'
import { command } from './command-language.ts'
import { DEADLINE } from './deadline-language.ts'
import { EXPECT, setupShape } from './preparation-language.ts'
import { ROLE } from './role-language.ts'
import { boundKeys, on, perStep, route, target, thenRoute } from './route-language.ts'
import type { ObjectShape } from './shape-kinds.ts'
import { duration, either, flag, integer, list, map, object, oneOf, text } from './shapes.ts'
import { nextShape, OPTIONAL, rowShape } from './table-language.ts'

const optionKeys = {
  say: text('What choosing it means; told to whoever answers.'),
  label: text('The words on the button. Made from the name when left out.'),
  recommended: flag('The choice to make when in doubt. At most one of a question.'),
  confirm: flag('Only a person may take it: from an agent it is a proposal, and a person is asked.'),
  reversible: flag('Whether it can be undone. Policies never answer with an irreversible option.'),
}

const option = either(
  'An answer and where it leads.',
  target,
  object('An answer and where it leads.', {
    ...optionKeys,
    to: target,
    ...boundKeys,
    then: thenRoute(2),
    exit: either(
      'The exit codes of a check that mean this answer.',
      integer(0, 255, 'The exit code that means this answer.'),
      list(integer(0, 255, 'An exit code.'), 'The exit codes that mean this answer.', 1),
      oneOf(['other'], 'All exit codes that no other option names.'),
    ),
  }),
)

const options = map('option', option, 'The answers, best first, each with where it leads.', 1)

const askedOption = either('An answer.', text('What choosing it means.'), object('An answer.', optionKeys))

const asks = either(
  'The variable the answer sets; or, for a decision table, several variables with their options.',
  text('The name of the variable the answer sets. `decision` when left out.'),
  map(
    'variable',
    either(
      'The options of one variable.',
      list(text('An option.'), 'The options of one variable.', 2),
      map('option', askedOption, 'The options of one variable.', 2),
    ),
    'The variables of a decision table, each with its options.',
    1,
  ),
)

const field = either(
  'Something the answer carries beside the choice.',
  oneOf(FIELD_TYPES, 'The type; the field is optional.'),
  object(
    'Something the answer carries beside the choice.',
    {
      type: oneOf(FIELD_TYPES, 'text, number, boolean, list (of texts), choice, file (a path), findings.'),
      say: text('What belongs in it.'),
      required: flag('Every answer must bring it.'),
      required_for: list(
        text('An option.'),
        'The options, or rows of a table, whose answer must bring it.',
        1,
      ),
      choices: list(text('A value.'), 'The values of a `choice`.', 2),
    },
    ['type'],
  ),
)

const fields = map('field', field, 'What the answer carries beside the choice.')

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
        'How often a failure sends the agent back before it counts as `failed`. 3 unless said.',
      ),
      for: list(
        text('An option.'),
        'Only these answers (options, or rows of a table) are gated. All unless said.',
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
    template: text('The decision kind to offer. `checkpoint` unless said.'),
    blocks: integer(1, 10, 'How often in a visit a "done" is held back. 1 unless said.'),
    cool_down: duration('A question or a hold this recent counts as a check-in. 20m unless said.'),
  }),
)

const workKeys = {
  gate,
  on_signal: onSignal,
  check_in: checkIn,
  nudges: integer(
    0,
    20,
    'How often a wrong or missing answer is told to the agent before it counts as `invalid`. 2 unless said.',
  ),
  questions: integer(0, 50, 'How many questions the agent may put to a person in one visit. 2 unless said.'),
  time: duration('Working time allowed in one visit; waiting for a person does not count.'),
  stall: duration('How long the agent may give no sign of life.'),
}

const prompt = text(
  'What the agent is told: text, or the path of a `.md` or `.txt` file beside the runbook.',
  ['prompts/develop.md'],
)

const PRIMED: Record<PrimeSource, string> = {
  startup: 'At startup.',
  resume: 'At resume.',
  compact: 'With the next prompt after it compacted its context, where the agent tells of that.',
  signal: 'When it said it was done and was sent back.',
}

const agent = object('An agent of this flow: a role, with its boundary.', {
  use: text('Which program plays it: a name from your own configuration. `default` unless said.'),
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

export const STEP_KINDS = ['agent', 'panel', 'check', 'decide', 'flow'] as const

export const STEP = object('A step: a question put to an agent, a panel, a command or a person.', {
  say: text('What this step is for.'),
  agent: text('The agent that works on it.'),
  panel: list(member, 'Several agents on one question. The worst blocking answer wins.', 1),
  check: command('A command; its exit code (or its JSON) answers.'),
  decide: either(
    'The question to a person.',
    text('The question to a person.'),
    flag('`true`: the template says what to ask.'),
  ),
  flow: text('Another runbook, by its path. Its ends are the options of this step.'),
  prompt,
  asks,
  optional: OPTIONAL,
  options,
  when: list(
    rowShape({ to: target, ...boundKeys, then: thenRoute(2) }),
    'The decision table, first fitting row wins.',
    1,
  ),
  fields,
  next: nextShape(target, route('Where this value leads.')),
  on,
  gives: text('The handoff this step must give.'),
  settle_on: text(
    'A `findings` field. A round that brings no news, or nothing material, ends the loop: `then` is taken.',
  ),
  ...workKeys,
  answers: oneOf(
    ['exit', 'json'],
    'How a check answers: by exit code (unless said) or by the JSON it prints.',
  ),
  writes: list(
    text('A glob; later ones win over earlier ones, `!` forbids.'),
    'What a check may change of the files, to be committed: formatters, generators. A check without it judges a clean checkout, and leaves nothing.',
    1,
  ),
  context,
  template: text('The decision kind: its hint, required context and options.'),
  deadline: { ...DEADLINE, meant: 'expire' },
  with: map(
    'variable',
    { kind: 'any-scalar', doc: 'A value, with look-ups.' },
    'The variables given to the flow.',
  ),
})

export const RUNBOOK: ObjectShape = {
  noun: 'runbook',
  ...object(
    'A Signalbox runbook: a flow of agents, checks and decisions, every outcome routed and every loop bounded.',
    {
      runbook: { kind: 'integer', min: 1, max: 1, doc: 'The version of the language: 1.' },
      name: text('The name of the flow.'),
      description: text('What it is for.'),
      unattended: flag(
        'Nobody watches while it runs: check-ins are off, and questions should have deadlines.',
      ),
      start: text('The first step. The first one written unless said.'),
      vars: map(
        'variable',
        either(
          'A variable.',
          { kind: 'any-scalar', doc: 'Its default.' },
          object('A variable.', {
            say: text('What it is.'),
            required: flag('A run cannot start without it.'),
            default: { kind: 'any-scalar', doc: 'Its value when none is given.' },
          }),
        ),
        'What a run is given: `${var.NAME}`.',
      ),
      limits: object('Limits of a run. Beyond them its agents end as `over_budget`.', {
        cost: { kind: 'number', min: 0, max: 1_000_000, doc: 'In US dollars.' },
        tokens: integer(0, Number.MAX_SAFE_INTEGER, 'In tokens.'),
      }),
      budgets: map(
        'budget',
        integer(0, 1000, 'How often it may be spent in a run.'),
        'Shared by the whole run and never refilled. `interventions` (3) pays for retries by a person.',
      ),
      counters: map(
        'counter',
        either(
          'A counter.',
          integer(1, 1000, 'How often all its routes together may be taken.'),
          object(
            'A counter.',
            {
              max: integer(1, 1000, 'How often all its routes together may be taken.'),
              per: perStep,
            },
            ['max'],
          ),
        ),
        'Counts that several routes share, with `count: NAME`. They start again when a budget is spent.',
      ),
      agents: map('agent', { ...agent, meant: 'use' }, 'The agents of this flow.'),
      templates: map(
        'template',
        object('A kind of decision.', {
          prompt_hint: text('What a question of this kind should say.'),
          required_context: list(text('A name.'), 'The context a question of this kind must bring.'),
          options: map('option', askedOption, 'Its options, unless the question brings its own.'),
        }),
        'Kinds of decision. The eight that ship can be replaced by name.',
      ),
      handoffs: map(
        'handoff',
        object(
          'What one step hands to the next.',
          {
            version: integer(1, 1_000_000, 'Counts up when the fields change.'),
            fields: { ...fields, doc: 'What it holds.' },
            partial: flag('Notes alone will do when the nudges are used up.'),
            fallback: text(
              'What the next step is told when there is neither. Without it a missing handoff is `invalid`.',
            ),
          },
          ['fields'],
        ),
        'Named, versioned records that steps give and later steps read as `${steps.NAME.FIELD}`.',
      ),
      on: { ...on, doc: 'Routes of faults for all steps that do not say their own.' },
      deadline: {
        ...DEADLINE,
        doc: 'The deadline of every question of this flow: of its decide steps that do not say their own, of its agents, and of what went wrong, which is reminded of and never expires. Its `hours` count for ladders of steps, too.',
      },
      setup: setupShape({ ...on, doc: 'Where its faults lead.' }),
      steps: map('step', STEP, 'The steps, in order.', 1),
      ends: map(
        'end',
        either(
          'An end.',
          text('What it means.'),
          object('An end.', {
            say: text('What it means.'),
            success: flag('Whether the run counts as a success. Not unless said.'),
          }),
        ),
        'Ends beside `done` and `abandoned`.',
      ),
    },
    ['runbook', 'steps'],
  ),
}
