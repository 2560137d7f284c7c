/** What a role may do. Whatever is not said of it is left out: then the user's configuration says it. */
import { HOW_HOSTS_ARE_WRITTEN, isHost } from '../../model/network.ts'
import type { Agent, Network, WriteGrant } from '../../model/program.ts'
import { lookUpsIn, renderText, type Template } from '../../model/template.ts'
import { brief } from '../language/shape.ts'
import { childOf, itemsOf, type Tree, textOf } from '../tree.ts'
import { commandAt, grantAt, type Scope, spotOf } from './scope.ts'

type Role = Pick<Agent, 'writes' | 'network' | 'git' | 'judge'>

export function roleOf(scope: Scope, tree: Tree | undefined, name: string): Role {
  const owner = { kind: 'agent', agent: name } as const
  const writes = childOf(tree, 'writes')
  const network = networkOf(scope, childOf(tree, 'network'))
  const git = textOf(childOf(tree, 'git'))
  const judge = childOf(tree, 'judge')
  const command = textOf(judge)
  return {
    writes: writes === undefined ? null : grantsOf(scope, writes, name),
    ...(network === null ? {} : { network }),
    ...(git === 'read' || git === 'write' ? { git } : {}),
    ...(judge === undefined || command === undefined
      ? {}
      : { judge: commandAt(scope, judge, command, owner) }),
  }
}

/** Whether something that the agent of this tree writes could be out of bounds. */
export const isBoundedBy = (agent: Tree | undefined): boolean =>
  childOf(agent, 'writes') !== undefined || childOf(agent, 'judge') !== undefined

function grantsOf(scope: Scope, writes: Tree, name: string): WriteGrant[] {
  const owner = { kind: 'agent', agent: name } as const
  const items = writes.kind === 'list' ? writes.items : [writes]
  return items.map((item) => plainly(grantAt(scope, item, textOf(item) ?? '', owner)))
}

/** Text without look-ups is a glob as it stands. */
const plainly = (template: Template): WriteGrant =>
  lookUpsIn(template).length === 0 ? renderText(template, () => undefined) : template

function networkOf(scope: Scope, tree: Tree | undefined): Network | null {
  const word = textOf(tree)
  if (word === 'on' || word === 'off') return word
  if (tree?.kind !== 'list') return null
  for (const item of itemsOf(tree)) {
    const host = textOf(item)
    if (host !== undefined && !isHost(host))
      scope.report.add({
        code: 'bad-host',
        ...spotOf(item),
        message: `"${brief(host)}" is not the name of a host.`,
        help: HOW_HOSTS_ARE_WRITTEN,
      })
  }
  return itemsOf(tree).map((item) => textOf(item) ?? '')
}
