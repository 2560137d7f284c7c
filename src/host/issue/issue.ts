/** Issues: one Markdown file each, in a folder of the repository. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MISSING, readRegular } from '../workspace/artifacts.ts'
import { isMissing } from '../workspace/file-error.ts'
import type { Problem } from '../workspace/problem.ts'
import { parseFrontMatter } from './front-matter.ts'

export interface Issue {
  readonly id: string
  readonly title: string
  /** As written; `Todo` when it says nothing. */
  readonly status: string
  readonly dependsOn: readonly string[]
  /** The issue it is a part of; empty for none. */
  readonly parent: string
  readonly labels: readonly string[]
  readonly body: string
  /** Relative to the repository. */
  readonly path: string
}

/** The first that has the issue is taken. */
export const ISSUE_FOLDERS = ['.signalbox/issues', 'TODO'] as const
const LARGEST = 1024 * 1024

export async function readIssue({ repo, id }: { repo: string; id: string }): Promise<Issue | Problem> {
  if (!isIssueId(id))
    return {
      problem: `"${id.slice(0, 80)}" is not the id of an issue. Ids are letters, digits, ".", "_" and "-".`,
    }
  for (const folder of ISSUE_FOLDERS) {
    const path = `${folder}/${id}.md`
    const read = await readRegular(join(repo, path), LARGEST)
    if ('bytes' in read) return issueOf({ id, path, text: new TextDecoder().decode(read.bytes) })
    if (read.why !== MISSING) return { problem: `${path} cannot be read: ${read.why}.` }
  }
  return {
    problem: `There is no issue ${id}: neither ${ISSUE_FOLDERS.map((each) => `${each}/${id}.md`).join(' nor ')} exists.`,
  }
}

/** In the order of their ids; files that cannot be read as issues are told beside them. */
export async function listIssues({
  repo,
}: {
  repo: string
}): Promise<{ issues: Issue[]; problems: Problem[] }> {
  const issues: Issue[] = []
  const problems: Problem[] = []
  for (const id of await issueIds(repo)) {
    const issue = await readIssue({ repo, id })
    if ('problem' in issue) problems.push(issue)
    else issues.push(issue)
  }
  return { issues, problems }
}

/** Those of its dependencies that keep it from starting, each with why. */
export const unmetDependencies = (
  issue: Issue,
  all: readonly Issue[],
): { readonly id: string; readonly why: string }[] =>
  issue.dependsOn.flatMap((id) => {
    const needed = all.find((each) => each.id === id)
    if (needed === undefined) return [{ id, why: `${id} has no file that can be read` }]
    return isDone(needed) ? [] : [{ id, why: `${id} is ${needed.status}` }]
  })

const isDone = ({ status }: Pick<Issue, 'status'>): boolean => status.trim().toLowerCase() === 'done'

/** Nothing that could lead out of the folder or be taken for an option. */
export const isIssueId = (id: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(id) && !id.includes('..') && !id.endsWith('.')

export async function issueIds(repo: string): Promise<string[]> {
  const names = await Promise.all(ISSUE_FOLDERS.map((folder) => filesIn(join(repo, folder))))
  const ids = names
    .flat()
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.slice(0, -3))
    .filter(isIssueId)
  return [...new Set(ids)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

export async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function issueOf({ id, path, text }: { id: string; path: string; text: string }): Issue | Problem {
  const parsed = parseFrontMatter(text)
  if ('problem' in parsed) return { problem: `${path}, ${parsed.problem}` }
  const { fields, body } = parsed
  const one = (key: string): string => {
    const value = fields.get(key) ?? ''
    return typeof value === 'string' ? value : value.join(', ')
  }
  const needs = fields.get('depends-on') ?? fields.get('depends_on') ?? []
  const several = (value: string | readonly string[]): string[] =>
    (typeof value === 'string' ? value.split(',') : value)
      .map((each) => each.trim())
      .filter((each) => each !== '')
  return {
    id,
    title: one('title') || (/^#\s+(.+)$/m.exec(body)?.[1]?.trim() ?? id),
    status: one('status') || 'Todo',
    dependsOn: several(needs),
    parent: one('parent'),
    labels: several(fields.get('labels') ?? fields.get('label') ?? []),
    body,
    path,
  }
}
