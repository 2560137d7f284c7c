/** The checkouts git knows of a repository. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { git, gitOutput } from './git.ts'

export interface Checkout {
  readonly path: string
  /** Full ref name; null when detached or bare. */
  readonly branch: string | null
  /** Why it is locked, '' for no reason; null when it is not. */
  readonly locked: string | null
}

export async function listCheckouts(repo: string): Promise<Checkout[]> {
  // `-z` came with git 2.36; before that a path with a newline cannot be told.
  const exact = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repo })
  if (exact.code === 0) return exact.stdout.split('\0\0').flatMap((entry) => checkoutOf(entry.split('\0')))
  const plain = await gitOutput(['worktree', 'list', '--porcelain'], { cwd: repo })
  return plain.split('\n\n').flatMap((entry) => checkoutOf(entry.split('\n')))
}

function checkoutOf(lines: readonly string[]): Checkout[] {
  const fieldOf = (key: string): string | null => {
    const line = lines.find((each) => each === key || each.startsWith(`${key} `))
    return line === undefined ? null : line.slice(key.length + 1)
  }
  const path = fieldOf('worktree')
  return path === null ? [] : [{ path, branch: fieldOf('branch'), locked: fieldOf('locked') }]
}

/** As git would write the path down, whether or not there is anything at it. */
export async function realPathOf(path: string): Promise<string> {
  const parent = dirname(path)
  if (parent === path) return path
  return realpath(path).catch(async () => join(await realPathOf(parent), basename(path)))
}
