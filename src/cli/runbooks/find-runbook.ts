/** The runbook that somebody names: by its path, or by its name in the project. */
import { type Dirent, existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { entriesInside } from '../../host/inside/read-inside.ts'
import { list, orNear } from '../../model/nearest.ts'

const FOLDER = '.signalbox'
const ENDINGS = /\.(?:yaml|yml|hcl|ts)$/

export function findRunbook(
  name: string,
  dir = process.cwd(),
): { readonly runbook: string } | { readonly problem: string } {
  const { folders, isRepository } = foldersAround(dir)
  const asPath = resolve(dir, name)
  const named = folders.flatMap((folder) =>
    ['yaml', 'yml', 'hcl', 'ts'].flatMap((ending) => fileIn(folder, `${name}.${ending}`)),
  )
  const [runbook] = [
    ...(statSync(asPath, { throwIfNoEntry: false })?.isFile() === true ? [asPath] : []),
    ...named,
  ]
  if (runbook !== undefined) return { runbook }
  // What is clearly a path is told about as one.
  if (ENDINGS.test(name) || basename(name) !== name)
    return existsSync(resolve(dir, name))
      ? { runbook: resolve(dir, name) }
      : {
          problem: `There is no file ${name}. Name a runbook: a .yaml, .yml, .hcl or .ts file, or the name of one in ${FOLDER}/.`,
        }
  const known = folders.flatMap(runbooksIn)
  const near = orNear(name, known)
  const others = near === '.' && known.length > 0 ? ` There are: ${list(known)}.` : ''
  const elsewhere = isRepository ? '' : ` ${dir} is in no git repository: go to your project's folder.`
  return {
    problem: `There is no runbook "${name}", neither a file of that name nor one in ${FOLDER}/${near}${others}${elsewhere}`,
  }
}

/** Those of a repository, by name. One of a name is enough: `signalbox run NAME` takes the first, too. */
export function runbooksOf(repo: string): readonly { readonly name: string; readonly file: string }[] {
  const names = [...new Set(runbooksIn(repo))].sort()
  return names.flatMap((name) => {
    const found = findRunbook(name, repo)
    return 'runbook' in found ? [{ name, file: found.runbook }] : []
  })
}

/** The same, as whoever typed it would write its path. */
export function runbookFile(name: string): { readonly file: string } | { readonly problem: string } {
  const found = findRunbook(name)
  if ('problem' in found) return found
  const { runbook } = found
  return { file: runbook === resolve(name) ? name : relative(process.cwd(), runbook) }
}

/** From here up to the top of the repository; without one, here only. Git is not asked: the folder may be an agent's. */
function foldersAround(dir: string): { readonly folders: readonly string[]; readonly isRepository: boolean } {
  const folders: string[] = []
  for (let folder = resolve(dir); ; folder = dirname(folder)) {
    folders.push(folder)
    if (existsSync(join(folder, '.git'))) return { folders, isRepository: true }
    if (dirname(folder) === folder) return { folders: [resolve(dir)], isRepository: false }
  }
}

/** The top of the repository that somebody stands in; null outside of one. */
export function repositoryAround(dir = process.cwd()): string | null {
  const { folders, isRepository } = foldersAround(dir)
  return isRepository ? (folders.at(-1) ?? null) : null
}

const filesIn = (folder: string): readonly Dirent[] => entriesInside({ root: folder, names: [FOLDER] })

/** A link has the name, too: why it is not read is said where it is read. */
const fileIn = (folder: string, file: string): string[] =>
  filesIn(folder).some((entry) => entry.name === file && !entry.isDirectory())
    ? [join(folder, FOLDER, file)]
    : []

const runbooksIn = (folder: string): string[] =>
  filesIn(folder)
    .filter((entry) => entry.isFile() && ENDINGS.test(entry.name) && entry.name !== 'config.yaml')
    .map(({ name }) => name.replace(ENDINGS, ''))
