/** `keeps` of an agent: three parts, which add to those of a known agent, or a plain list, which replaces them. */
import { homedir } from 'node:os'
import { type Keeps, NO_KEEPS, settingPlace } from '../../host/confinement/keeps/keeps.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, itemsOf, type Tree, textOf } from '../../runbook/tree.ts'

export interface KeepsSetting {
  readonly before: Keeps
  readonly report: Report
}

/** Null where a diagnostic says what is wrong. */
export function readKeeps(tree: Tree | undefined, { before, report }: KeepsSetting): Keeps | null {
  if (tree === undefined) return before
  if (tree.kind === 'list') {
    const copied = readHomePlaces(tree, report)
    return copied === null ? null : { ...NO_KEEPS, copied }
  }
  const part = (key: 'login' | 'settings' | 'sessions'): readonly string[] | null =>
    readHomePlaces(childOf(tree, key), report)
  const [login, settings, sessions] = [part('login'), part('settings'), part('sessions')]
  if (login === null || settings === null || sessions === null) return null
  const hidden = [...login, ...sessions].find((place) =>
    settings.some((outer) => place.startsWith(`${outer}/`)),
  )
  if (hidden !== undefined) {
    report.add({
      code: 'config',
      at: tree.at,
      path: tree.path,
      message: `"${hidden}" lies in a folder of \`settings\`, which can only be read.`,
      help: 'Name the files and folders in it that are settings, one by one.',
    })
    return null
  }
  const isNew = (place: string): boolean => !before.settings.some((each) => settingPlace(each) === place)
  return {
    ...before,
    login: [...new Set([...before.login, ...login])],
    settings: [...before.settings, ...settings.filter(isNew)],
    sessions: [...new Set([...before.sessions, ...sessions])],
  }
}

/** As `~/…`. What lies elsewhere has no place in the home that an agent gets. */
function readHomePlaces(tree: Tree | undefined, report: Report): readonly string[] | null {
  const home = homedir()
  const places = itemsOf(tree).map((item) => {
    const text = textOf(item) ?? ''
    const place = text.startsWith(`${home}/`) ? `~/${text.slice(home.length + 1)}` : text
    const names = place.slice(2).replace(/\/+$/, '').split('/')
    if (place.startsWith('~/') && names.every((name) => !['', '.', '..'].includes(name)))
      return `~/${names.join('/')}`
    report.add({
      code: 'config',
      at: item.at,
      path: item.path,
      message: `"${text}" is not a file or folder in your home.`,
      help: 'Write ~/NAME. What lies elsewhere is granted to every agent: `sandbox: { writable: […] }` or `readable`.',
    })
    return null
  })
  return places.some((place) => place === null) ? null : places.filter((place) => place !== null)
}
