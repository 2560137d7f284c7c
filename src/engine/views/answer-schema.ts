/** The contract as a JSON Schema: what an agent's tool takes. Help for whoever fills it in; the engine judges. */
import { SEVERITIES } from '../../model/answer.ts'
import type { Contract, Field } from '../../model/contract.ts'
import { subjectsOf } from '../../model/subjects.ts'
import { neededWith } from '../contract-text.ts'

export interface AnswerSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

export function answerSchema(contract: Contract): AnswerSchema {
  const { variables, fields, handoff } = contract
  const properties: Record<string, object> = {}
  for (const { name, options } of variables)
    properties[name] = {
      type: 'string',
      enum: options.map(({ value }) => value),
      description: options.map(({ value, label, say }) => `${value}: ${say === '' ? label : say}`).join('\n'),
    }
  for (const field of fields) properties[field.name] = fieldSchema(field, neededWith(contract, field))
  if (handoff !== null)
    properties['handoff'] = {
      type: 'object',
      description: `The ${handoff.name}, version ${handoff.version}.`,
      properties: Object.fromEntries(
        handoff.fields.map((field) => [field.name, fieldSchema(field, field.requiredFor.join(', '))]),
      ),
      required: handoff.fields.filter(({ requiredFor }) => requiredFor.length > 0).map(({ name }) => name),
    }
  properties['notes'] = { type: 'string', description: 'Carried to whoever comes next.' }
  const required = subjectsOf(contract).filter(({ from, optional }) => from !== 'handoff' && !optional)
  return { type: 'object', properties, required: required.map(({ name }) => name) }
}

function fieldSchema({ type, say, choices }: Field, outcomes: string): object {
  const needed = outcomes === '' ? '' : `Needed with ${outcomes}.`
  const description = [say, needed].filter((text) => text !== '').join(' ')
  return { ...typeSchema(type, choices), ...(description === '' ? {} : { description }) }
}

function typeSchema(type: Field['type'], choices: readonly string[]): object {
  switch (type) {
    case 'text':
      return { type: 'string' }
    case 'number':
    case 'boolean':
      return { type }
    case 'list':
      return { type: 'array', items: { type: 'string' } }
    case 'choice':
      return { type: 'string', enum: choices }
    case 'file':
      return { type: 'string', description: 'Path of a file in the worktree.' }
    case 'findings':
      return {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Of an earlier finding; leave it out for a new one.' },
            title: { type: 'string' },
            severity: { type: 'string', enum: SEVERITIES },
            status: { type: 'string', enum: ['open', 'fixed'] },
            file: { type: 'string' },
            detail: { type: 'string' },
          },
          required: ['title', 'severity', 'status'],
        },
      }
  }
}
