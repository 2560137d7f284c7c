/** A small repository of ours to show something on, with one commit. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const call = promisify(execFile)

export async function layOut(
  repo: string,
  { files, commit }: { readonly files: Readonly<Record<string, string>>; readonly commit: string },
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(repo, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  // Whatever the user's own git is set to.
  const us = [
    '-c',
    'user.name=Signalbox',
    '-c',
    'user.email=signalbox@localhost',
    '-c',
    'commit.gpgsign=false',
  ]
  const git = (...args: string[]) => call('git', [...us, ...args], { cwd: repo })
  await git('init', '-q', '-b', 'main')
  await git('add', '-A')
  await git('commit', '-q', '--no-verify', '-m', commit)
}
