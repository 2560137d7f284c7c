/** A map of variables in a config file. */
import type { Report } from '../../runbook/report.ts'
import { entriesOf, type Tree, textOf } from '../../runbook/tree.ts'

export function readVariables(tree: Tree | undefined, report: Report): Record<string, string> | null {
  if (tree === undefined) return {}
  let isGood = true
  const tell = (at: Tree['at'], path: string, message: string, help: string): void => {
    isGood = false
    report.add({ code: 'config', at, path, message, help })
  }
  if (tree.kind !== 'map')
    tell(tree.at, tree.path, `\`${tree.path}\` should be a map.`, 'Write { NAME: "value" }.')
  const pairs = entriesOf(tree).map(({ key, at, value }): [string, string] => {
    const text = textOf(value)
    if (!/^[A-Za-z_]\w*$/.test(key))
      tell(at, value.path, `"${key}" cannot name a variable.`, 'Names are letters, digits and _.')
    // A number loses its spelling when it is read: 1.10 would become 1.1.
    if (text === undefined)
      tell(value.at, value.path, `\`${value.path}\` should be text.`, 'Put the value into quotation marks.')
    else if (text.includes('\0'))
      tell(value.at, value.path, `\`${value.path}\` holds a NUL character.`, 'No variable can hold one.')
    return [key, text ?? '']
  })
  return isGood ? Object.fromEntries(pairs) : null
}
