/** What a scenario file may look like. */
import { FAULTS } from '../model/fault.ts'
import type { ObjectShape, Shape } from '../runbook/language/shape.ts'

const text = (doc: string): Shape => ({ kind: 'text', doc })
const flag = (doc: string): Shape => ({ kind: 'boolean', doc })
const anything: Shape = { kind: 'anything', doc: 'Any value.' }

const act: Shape = {
  kind: 'either',
  doc: 'What happens at the step: an answer, a fault, `wait` or `context`, or a map that says more.',
  of: [
    text('An answer, a fault, or `wait`.'),
    {
      kind: 'object',
      doc: 'What happens at the step.',
      required: [],
      fields: {
        member: text('The member of a panel who does it. All who are busy by default.'),
        answer: text('The outcome that is answered.'),
        fields: {
          kind: 'map',
          noun: 'field',
          of: anything,
          least: 0,
          doc: 'Fields of the answer; the rest is made up.',
        },
        notes: text('Notes of the answer.'),
        settled: flag('The round finds nothing material any more.'),
        later: flag('After the cool-down of a check-in.'),
        proposed: flag('By choices that only a person may take, where others lead to the same.'),
        fault: { kind: 'text', values: FAULTS, doc: 'How it goes wrong.' },
        together: flag('While the members of the panel after it are at work, too.'),
        wrong: {
          kind: 'either',
          doc: 'An answer that does not fit.',
          of: [
            flag('Nothing fits.'),
            { kind: 'text', values: ['handoff'], doc: 'Only the handoff is missing.' },
          ],
        },
        gate: { kind: 'text', values: ['pass', 'fail'], doc: 'What the gate says. It passes by default.' },
        asks: flag('The agent raises a question.'),
        person: text(
          'What the person does who is asked: `retry`, `stop`, `answers` what an agent asked, or an answer in the stead of the agent.',
        ),
        instead: text(
          'The answer in the stead of the agent, where it has the name of something else a person can do.',
        ),
      },
    },
  ],
}

const vars: Shape = {
  kind: 'map',
  noun: 'variable',
  of: { kind: 'any-scalar', doc: 'A value.' },
  least: 0,
  doc: 'Variables of the run.',
}

export const SCENARIO: ObjectShape = {
  kind: 'object',
  noun: 'scenario',
  doc: 'A scenario: one path through a runbook, with what must come of it.',
  required: ['play'],
  fields: {
    scenario: text('What it shows.'),
    vars,
    play: {
      kind: 'list',
      least: 0,
      doc: 'What happens, in order: `- STEP: what happens there`.',
      of: { kind: 'place', noun: 'step', of: act, doc: 'One step and what happens at it.' },
    },
    expect: {
      kind: 'object',
      doc: 'What must have come of it.',
      required: [],
      fields: {
        end: text('How the run has ended.'),
        at: text('The step it stands at.'),
        visits: {
          kind: 'map',
          noun: 'step',
          of: { kind: 'integer', min: 0, max: 1_000_000, doc: 'A count.' },
          least: 0,
          doc: 'How often steps were entered.',
        },
        budgets: {
          kind: 'map',
          noun: 'budget',
          of: { kind: 'integer', min: 0, max: 1_000_000, doc: 'What is left.' },
          least: 0,
          doc: 'What is left of budgets.',
        },
        counters: {
          kind: 'map',
          noun: 'counter',
          of: { kind: 'integer', min: 0, max: 1_000_000, doc: 'A count.' },
          least: 0,
          doc: 'How far counters of `counters` have come in this pass.',
        },
      },
    },
  },
}

/** Many in one file, each of which may go on where another ended. */
export const SCENARIOS: ObjectShape = {
  kind: 'object',
  noun: 'file of scenarios',
  doc: 'Scenarios of one runbook.',
  required: ['scenarios'],
  fields: {
    vars: { ...vars, doc: 'Variables of every run that does not say its own.' },
    scenarios: {
      kind: 'list',
      least: 1,
      doc: 'The scenarios, each a path of its own.',
      of: {
        ...SCENARIO,
        required: ['scenario', 'play'],
        fields: {
          ...SCENARIO.fields,
          after: text('The name of a scenario above: what happens there happens here first.'),
        },
      },
    },
  },
}
