/** What a scenario file may look like. */
import { FAULTS } from '../model/fault.ts'
import type { ObjectShape, Shape } from '../runbook/shape.ts'

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
        member: text('The member of a panel who does it. All who are busy unless said.'),
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
        fault: { kind: 'text', values: FAULTS, doc: 'How it goes wrong.' },
        wrong: {
          kind: 'either',
          doc: 'An answer that does not fit.',
          of: [
            flag('Nothing fits.'),
            { kind: 'text', values: ['handoff'], doc: 'Only the handoff is missing.' },
          ],
        },
        gate: { kind: 'text', values: ['pass', 'fail'], doc: 'What the gate says. It passes unless said.' },
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

export const SCENARIO: ObjectShape = {
  kind: 'object',
  noun: 'scenario',
  doc: 'A scenario: one path through a runbook, with what must come of it.',
  required: ['play'],
  fields: {
    scenario: text('What it shows.'),
    vars: {
      kind: 'map',
      noun: 'variable',
      of: { kind: 'any-scalar', doc: 'A value.' },
      least: 0,
      doc: 'Variables of the run.',
    },
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
      },
    },
  },
}
