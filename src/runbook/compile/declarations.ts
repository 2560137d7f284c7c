/** What stands beside the steps: variables, limits, budgets, decision templates, handoffs, ends. */
import type { Handoff } from '../../model/contract.ts'
import {
  type DecisionTemplate,
  type End,
  INTERVENTIONS,
  type Program,
  type Var,
} from '../../model/program.ts'
import { booleanOf, childOf, entriesOf, itemsOf, numberOf, type Tree, textOf, writtenOf } from '../tree.ts'
import { fieldsOf, templateOption } from './contracts.ts'
import type { Counter, Scope } from './scope.ts'
import { TEMPLATE_LIBRARY } from './template-library.ts'

const mapped = <T>(tree: Tree | undefined, read: (value: Tree, key: string) => T): Record<string, T> =>
  Object.fromEntries(entriesOf(tree).map(({ key, value }) => [key, read(value, key)]))

export const varsOf = (root: Tree): Record<string, Var> =>
  mapped(childOf(root, 'vars'), (tree) => {
    const value = writtenOf(tree) ?? writtenOf(childOf(tree, 'default'))
    return {
      say: textOf(childOf(tree, 'say')) ?? '',
      required: booleanOf(childOf(tree, 'required')) ?? false,
      default: value,
    }
  })

export function limitsOf(root: Tree): Program['limits'] {
  const limits = childOf(root, 'limits')
  return {
    costUsd: numberOf(childOf(limits, 'cost')) ?? null,
    tokens: numberOf(childOf(limits, 'tokens')) ?? null,
  }
}

export const INTERVENTIONS_DEFAULT = 3

export const budgetsOf = (root: Tree): Record<string, number> => ({
  [INTERVENTIONS]: INTERVENTIONS_DEFAULT,
  ...mapped(childOf(root, 'budgets'), (tree) => numberOf(tree) ?? 0),
})

export const countersOf = (root: Tree): Record<string, Counter> =>
  mapped(childOf(root, 'counters'), (tree) => ({
    times: numberOf(tree) ?? numberOf(childOf(tree, 'max')) ?? 1,
    per: textOf(childOf(tree, 'per')) ?? null,
  }))

export const templatesOf = (root: Tree): Record<string, DecisionTemplate> => ({
  ...TEMPLATE_LIBRARY,
  ...mapped(childOf(root, 'templates'), (tree) => ({
    hint: textOf(childOf(tree, 'prompt_hint')) ?? '',
    requiredContext: itemsOf(childOf(tree, 'required_context')).map((item) => textOf(item) ?? ''),
    options: entriesOf(childOf(tree, 'options')).map(templateOption),
  })),
})

export const handoffsOf = (scope: Scope): Record<string, Handoff> =>
  mapped(childOf(scope.root, 'handoffs'), (tree, name) => ({
    name,
    version: numberOf(childOf(tree, 'version')) ?? 1,
    fields: fieldsOf(scope, childOf(tree, 'fields'), [ANY_OUTCOME], []),
    partial: booleanOf(childOf(tree, 'partial')) ?? false,
    fallback: textOf(childOf(tree, 'fallback')) ?? null,
  }))

/** A handoff's required field is required whatever the outcome. */
const ANY_OUTCOME = 'any'

export const endsOf = (root: Tree): Record<string, End> => ({
  done: { say: 'The work is done', success: true },
  abandoned: { say: 'Given up', success: false },
  ...mapped(childOf(root, 'ends'), (tree) => ({
    say: textOf(tree) ?? textOf(childOf(tree, 'say')) ?? '',
    success: booleanOf(childOf(tree, 'success')) ?? false,
  })),
})
