/**
 * The runbook language: every key, its type and what it means. The sentences are the editor's hover help
 * (`signalbox schema`) and the second half of the diagnostics. This page is the file; what stands in it has pages of its own.
 */
import { askedOption, fields } from './answer-language.ts'
import { DEADLINE } from './deadline-language.ts'
import { setupShape } from './preparation-language.ts'
import { on, perStep } from './route-language.ts'
import type { ObjectShape } from './shape-kinds.ts'
import { either, flag, integer, list, map, object, text } from './shapes.ts'
import { STEP } from './step-language.ts'
import { agent } from './work-language.ts'

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
      start: text('The first step. The first one written by default.'),
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
            success: flag('Whether the run counts as a success. Not by default.'),
          }),
        ),
        'Ends beside `done` and `abandoned`.',
      ),
    },
    ['runbook', 'steps'],
  ),
}
