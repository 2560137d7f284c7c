/** Repositories whose settings name programs, planted where a person's git would come across them. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Lair, Scene } from './attack.fixture.ts'

export const nested = ({ evil }: Lair, dir: string): string => `
  git init -q ${dir} && cd ${dir} && echo x > file && git add file &&
  git -c user.name=x -c user.email=x@x commit -qm x &&
  echo '* filter=x' > .git/info/attributes && git config filter.x.clean ${evil} &&
  git config filter.x.process ${evil} && git config core.fsmonitor ${evil} && echo y > file`

/** What makes a folder a repository without any `.git`. */
export const bare = ({ evil }: Lair, dir: string): string => `
  git init -q --bare ${dir} && git -C ${dir} config core.bare false && git -C ${dir} config core.worktree "$PWD/${dir}" &&
  git -C ${dir} config core.fsmonitor ${evil} && echo x > ${dir}/refs/keep && echo x > ${dir}/objects/keep`

/** With the settings under which git goes into submodules unasked. */
const COMMANDS = [
  ['status'],
  ['-c', 'status.submoduleSummary=true', '-c', 'diff.ignoreSubmodules=none', 'status'],
  ['diff'],
  ['-c', 'diff.submodule=log', 'diff', 'HEAD'],
  ['log', '-1'],
  ['-c', 'submodule.recurse=true', 'grep', 'x'],
  ['stash', 'list'],
  ['add', '-A'],
  ['reset', '-q'],
]

/** What a person types there, without any care. */
export function lookIn({ run }: Scene, ...folders: readonly string[]): void {
  for (const folder of ['.', ...folders])
    for (const args of COMMANDS) spawnSync('git', args, { cwd: join(run.work.dir, folder), stdio: 'ignore' })
}

export const DECIDED = `
  steps:
    develop: { agent: dev, next: sign_off, on: { else: sign_off } }
    sign_off: { decide: Ship it?, options: { ship: done, drop: abandoned } }
`

/** While a person decides, and after the end. */
export async function decide(scene: Scene, ...folders: readonly string[]): Promise<void> {
  const { run, fired } = scene
  await run.question()
  expect(fired()).toBeGreaterThan(0)
  const before = fired()
  lookIn(scene, ...folders)
  await run.answer({ decision: 'ship' })
  expect(await run.end()).toBe('done')
  lookIn(scene, ...folders)
  expect(fired()).toBe(before)
}
