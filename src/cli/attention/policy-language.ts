/** What a policy file may look like. */
import { TAKINGS } from '../../attention/policy.ts'
import type { ObjectShape, Shape } from '../../runbook/language/shape.ts'

const text = (doc: string): Shape => ({ kind: 'text', doc })

const when: ObjectShape = {
  kind: 'object',
  doc: 'What a decision must be for this policy to answer it. All of it must hold, and at least one is needed.',
  required: [],
  fields: {
    kind: text('The kind of decision: tradeoff, permission, one of your templates.'),
    runbook: text('The name of the runbook.'),
    step: text('The step at which it is asked.'),
    cause: {
      kind: 'text',
      values: ['step', 'fault', 'unrouted', 'agent', 'outside'],
      doc: 'Why it is asked: by a step of the flow, after a fault, by an agent, from outside any run.',
    },
    agent: text('The agent that asks, as the runbook names it.'),
    repo: text('The folder of the repository, or one above it: ~/work.'),
    headline: text('The headline; `*` stands for anything, `?` for one letter.'),
    in: text('This very repository, from the root; empty for none.'),
    like: text(
      'The pattern of the headline, which fits no other words: `Update lockfile {number 00}?`. Also {id hex}, {path src/*.ts} and {quoted a-z 12}; a brace is written twice. It needs `says`.',
    ),
    says: {
      kind: 'list',
      of: text('A part of the card and its pattern: `label yes: Update it`.'),
      least: 1,
      doc: 'All that the card says beside its headline, part by part: question, label, text, leads, runs, input. A card that says more does not fit.',
    },
    recommends: {
      kind: 'list',
      of: text("An option's key."),
      least: 1,
      doc: 'What is recommended must be one of these.',
    },
    takes: {
      kind: 'text',
      values: TAKINGS,
      doc: 'How the answer must stand to what is recommended: it is that, another, or nothing is recommended.',
    },
    options: {
      kind: 'list',
      of: text("An option's key."),
      least: 0,
      doc: 'The keys of all options, in any order; retry and stop aside.',
    },
  },
}

const policy: ObjectShape = {
  kind: 'object',
  doc: 'One answer, given beforehand.',
  required: ['name', 'when', 'answer', 'until'],
  fields: {
    name: text('What the record calls it: small letters, digits and dashes.'),
    when,
    answer: text("An option's key, `recommended`, or `retry` after a fault."),
    confidence: {
      kind: 'number',
      min: 0,
      max: 1,
      doc: 'How sure the asker must be of that option, at least; one who does not say is not.',
    },
    until: text('Policies expire: write the last day it shall be in force, such as 2027-01-31.'),
    note: text('A word to whoever asked; it goes with every answer.'),
  },
}

export const POLICIES: ObjectShape = {
  kind: 'object',
  noun: 'policy file',
  doc: 'The policies: answers that are given without asking you.',
  required: ['policies'],
  fields: {
    policies: {
      kind: 'list',
      of: policy,
      least: 0,
      doc: 'In order: the first that fits a decision answers it.',
    },
  },
}
