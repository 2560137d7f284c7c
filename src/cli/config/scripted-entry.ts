/** What an entry of the config says of an agent for when its model fails, and for trying it without an account. */
import type { ScriptedSetup } from '../../host/ready-agents/scripted-setup.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, type Entry, entriesOf, itemsOf, plainValue, type Tree, textOf } from '../../runbook/tree.ts'
import { readVariables } from './variables-entry.ts'

const MAX_FAILURES = 20
/** Less of it stands in any message. */
const MIN_LETTERS = 6
const MAX_LENGTH = 200

/** Null where something is wrong, undefined where nothing is said. */
export function readFailures(tree: Tree | undefined, report: Report): readonly string[] | undefined | null {
  if (tree === undefined) return undefined
  const items = itemsOf(tree)
  const odd = items.filter((item) => !isTelling(textOf(item) ?? ''))
  for (const { at, path } of items.length > MAX_FAILURES ? [tree] : odd)
    report.add({
      code: 'config',
      at,
      path,
      message:
        items.length > MAX_FAILURES
          ? `There are ${items.length} texts; ${MAX_FAILURES} are taken.`
          : 'This text does not tell a failure from work.',
      help: `Write ${MIN_LETTERS} to ${MAX_LENGTH} characters of what it says when its model fails, with * for what differs.`,
    })
  return odd.length > 0 || items.length > MAX_FAILURES ? null : items.map((item) => textOf(item) ?? '')
}

const isTelling = (text: string): boolean =>
  text.length <= MAX_LENGTH && text.replaceAll(/[*\s]/g, '').length >= MIN_LETTERS

/** A text is the script of a scripted agent, and not for this. */
export function readScripted(tree: Tree | undefined, report: Report): ScriptedSetup | undefined | null {
  if (tree?.kind !== 'map') return undefined
  const env = readVariables(childOf(tree, 'env'), report)
  const files = entriesOf(childOf(tree, 'files'))
  const folders = itemsOf(childOf(tree, 'folders'))
  const outside = [
    ...files.filter(({ key }) => !isInHome(key)).map(({ key, value }) => ({ name: key, tree: value })),
    ...folders.flatMap((item) =>
      isInHome(textOf(item) ?? '') ? [] : [{ name: textOf(item) ?? '', tree: item }],
    ),
  ]
  for (const { name, tree: at } of outside)
    report.add({
      code: 'config',
      at: at.at,
      path: at.path,
      message: `"${name}" does not lie in its home.`,
      help: 'Write a path from its home folder: .my-agent/settings.json.',
    })
  if (env === null || outside.length > 0) return null
  const smallModel = textOf(childOf(tree, 'small_model'))
  const args = childOf(tree, 'args')
  return {
    env,
    ...(args === undefined ? {} : { args: itemsOf(args).map((item) => textOf(item) ?? '') }),
    ...(files.length === 0 ? {} : { files: Object.fromEntries(files.map(fileOf)) }),
    ...(folders.length === 0 ? {} : { folders: folders.map((item) => textOf(item) ?? '') }),
    ...(smallModel === undefined ? {} : { smallModel }),
  }
}

/** A text as it stands, anything else as JSON. */
const fileOf = ({ key, value }: Entry): [string, string | object] => [
  key,
  textOf(value) ?? JSON.stringify(plainValue(value), null, 2),
]

const isInHome = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..')
