/** A prompt as a file that only its reader's user can read, for as long as it is needed. */
import { randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Launch } from '../driver.ts'

export const PROMPT_FILE = '{prompt_file}'

export interface PlacedPrompt {
  readonly launch: Launch
  remove(): Promise<void>
}

/** In the workspace's own place for such things, where a sandboxed program can read it; else in the system's. */
export async function placePrompt(launch: Launch, text: string): Promise<PlacedPrompt> {
  const own = join(launch.cwd, '.signalbox', 'run')
  const file = join((await isDirectory(own)) ? own : tmpdir(), `prompt-${randomUUID()}.md`)
  await writeFile(file, text, { mode: 0o600 })
  const argv = launch.argv.map((word) => word.replaceAll(PROMPT_FILE, () => file))
  return { launch: { ...launch, argv }, remove: () => rm(file, { force: true }) }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
