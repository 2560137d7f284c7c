/** The project's own submodules. Git looks into one by the settings in it, which an agent at work there may have made. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GITLINK } from './changes.ts'
import { isMissing } from './file-error.ts'
import { bytesOfAll, namesOf, textOf } from './file-name.ts'
import { type GitOptions, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { inStore, throughStore } from './store.ts'

/** Listed once: looking through all files takes long, and no agent can add one. */
const listOf = ({ dir }: Ground): string => join(dir, 'submodules')

export async function listSubmodules(ground: Ground, commit: string): Promise<void> {
  const listed = await gitOutput(['ls-tree', '-r', '-z', '--full-tree', commit], inStore(ground))
  const names = namesOf(listed).flatMap((line) =>
    line.startsWith(`${GITLINK} `) ? [line.slice(line.indexOf('\t') + 1)] : [],
  )
  await writeFile(listOf(ground), bytesOfAll(names.map((name) => `${name}\0`)))
}

export const listedSubmodules = async (ground: Ground): Promise<string[]> =>
  namesOf(textOf(await bytesIn(listOf(ground))))

/** A ground of an older Signalbox has no list. */
const bytesIn = (file: string): Promise<Uint8Array> =>
  readFile(file).catch((error: unknown) => {
    if (isMissing(error)) return new Uint8Array()
    throw error
  })

/** In this index none of them is looked at. */
export async function overlookSubmodules(ground: Ground, index: string): Promise<void> {
  const names = namesOf(textOf(await readFile(listOf(ground))))
  if (names.length === 0) return
  const { cwd, env } = throughStore(ground)
  const through: GitOptions = { cwd, env: { ...env, GIT_INDEX_FILE: index } }
  const there = namesOf(await gitOutput(['ls-files', '-z', '--', ...names], through))
  const input = bytesOfAll(there.map((name) => `${name}\0`))
  await gitOutput(['update-index', '--assume-unchanged', '-z', '--stdin'], { ...through, input })
}
