/**
 * Files a new issue under the next free number.
 *
 * A repository may have several checkouts, so a file's existence alone does not tell that a number is taken. Numbers are
 * therefore claimed in the git directory that they share; creating a claim succeeds once. A run's repository is its own:
 * what its agents file may bear a number that the user takes meanwhile, and git says so when both are merged.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeOf } from '../workspace/file-error.ts'
import { git } from '../workspace/git.ts'
import type { Problem } from '../workspace/problem.ts'
import { written } from './front-matter.ts'
import { filesIn, ISSUE_FOLDERS, type Issue, issueIds } from './issue.ts'

export interface IssueDraft {
  readonly repo: string
  readonly title: string
  readonly body: string
}

export async function newIssue({ repo, title, body }: IssueDraft): Promise<Issue | Problem> {
  const heading = title.replace(/\s+/g, ' ').trim()
  if (heading === '') return { problem: 'An issue needs a title. Say in a few words what is to be done.' }
  const folder = await folderOf(repo)
  const claims = await claimsOf(repo)
  const text = `---\ntitle: ${written(heading)}\nstatus: Todo\ndepends-on: []\n---\n\n${body.trim()}\n`
  try {
    await mkdir(join(repo, folder), { recursive: true })
    const { prefix, last } = await highest(repo, claims)
    for (let number = last + 1; ; number++) {
      const id = `${prefix}${number}`
      const path = `${folder}/${id}.md`
      if (claims !== null && !(await created(join(claims, id), ''))) continue
      if (!(await created(join(repo, path), text))) continue
      return {
        id,
        title: heading,
        status: 'Todo',
        dependsOn: [],
        parent: '',
        labels: [],
        body: body.trim(),
        path,
      }
    }
  } catch (error) {
    if (codeOf(error) === '') throw error
    return { problem: `The issue could not be written: ${(error as Error).message}` }
  }
}

/** Where the project keeps them already. */
async function folderOf(repo: string): Promise<string> {
  const [first, second] = ISSUE_FOLDERS
  const has = async (folder: string): Promise<boolean> => (await filesIn(join(repo, folder))).length > 0
  return !(await has(first)) && (await has(second)) ? second : first
}

/** Null outside of git. */
async function claimsOf(repo: string): Promise<string | null> {
  const common = await git(['rev-parse', '--git-common-dir'], { cwd: repo })
  if (common.code !== 0) return null
  const claims = join(resolve(repo, common.stdout.replace(/\n$/, '')), 'signalbox', 'issue-ids')
  await mkdir(claims, { recursive: true })
  return claims
}

/** Numbers go on from the highest. Where all issues are named `GAL-41`, the next one is `GAL-42`. */
async function highest(repo: string, claims: string | null): Promise<{ prefix: string; last: number }> {
  const taken = [...(await issueIds(repo)), ...(claims === null ? [] : await filesIn(claims))]
  const numbered = taken.flatMap((id) => {
    const [, prefix, digits] = /^(|.*-)(\d{1,9})$/.exec(id) ?? []
    return prefix === undefined ? [] : [{ prefix, number: Number(digits) }]
  })
  const prefixes = new Set(numbered.map((each) => each.prefix))
  const [only = ''] = prefixes.size === 1 ? prefixes : []
  const numbers = numbered.filter((each) => each.prefix === only).map((each) => each.number)
  return { prefix: only, last: numbers.reduce((a, b) => Math.max(a, b), 0) }
}

async function created(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}
