/** Lists of a config file: places, names of variables, files of a checkout. */
import { isVariablePattern } from '../../host/confinement/environment.ts'
import type { Report } from '../../runbook/report.ts'
import { itemsOf, type Tree, textOf } from '../../runbook/tree.ts'

/** Places outside of the worktree, which is writable anyhow. Undefined where nothing is said. */
export function readPlaces(tree: Tree | undefined, report: Report): readonly string[] | undefined | null {
  if (tree === undefined) return undefined
  const odd = itemsOf(tree).filter((item) => !/^(?:~?\/)/.test(textOf(item) ?? ''))
  for (const item of odd)
    report.add({
      code: 'config',
      at: item.at,
      path: item.path,
      message: `"${textOf(item)}" could be anywhere.`,
      help: 'Write it from the root or from your home folder: /var/cache, ~/.cache.',
    })
  return odd.length > 0 ? null : itemsOf(tree).map((item) => textOf(item) ?? '')
}

/** Names of variables, as `env` and `passes` list them. Undefined where nothing, or something wrong, is said. */
export function readNames(tree: Tree | undefined, report: Report): readonly string[] | undefined {
  if (tree === undefined) return undefined
  const odd = itemsOf(tree).filter((item) => !isVariablePattern(textOf(item) ?? ''))
  for (const item of odd)
    report.add({
      code: 'config',
      at: item.at,
      path: item.path,
      message: `"${textOf(item)}" names no variable.`,
      help: 'Write a name, or the beginning of names and a star: NPM_TOKEN, AWS_*.',
    })
  return odd.length > 0 ? undefined : itemsOf(tree).map((item) => textOf(item) ?? '')
}

/** Files of a checkout, from its root. Undefined where nothing, or something wrong, is said. */
export function readFiles(tree: Tree | undefined, report: Report): readonly string[] | undefined {
  if (tree === undefined) return undefined
  const odd = itemsOf(tree).filter((item) => !isFileOfCheckout(textOf(item) ?? ''))
  for (const item of odd)
    report.add({
      code: 'config',
      at: item.at,
      path: item.path,
      message: `"${textOf(item)}" names no file of a checkout that git could leave out.`,
      help: 'Write it from the root of the repository, without a star: .env, config/local.json.',
    })
  return odd.length > 0 ? undefined : itemsOf(tree).map((item) => textOf(item) ?? '')
}

function isFileOfCheckout(name: string): boolean {
  const parts = name.split('/')
  return (
    !/[\p{Cc}*?]/u.test(name) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    !['.git', '.signalbox'].includes((parts[0] ?? '').toLowerCase())
  )
}
