/**
 * What an agent or a person did with git itself: the commits on the run's branch, and where HEAD was left. Their
 * repository is asked from within a sandbox. What comes out is words and a pack of objects, which the host's own git
 * takes apart and checks. Where the words are wrong, the commits are as good as never made: the files count.
 */
import { broughtNames } from './brought.ts'
import type { Confined } from './confined.ts'
import { namesOf, someNames } from './file-name.ts'
import { twiceForRoom } from './for-room.ts'
import { git } from './git.ts'
import type { Ground } from './ground.ts'
import { repositoryAdded } from './nested-repositories.ts'
import { adoptObjects, type Scratch, withScratch } from './scratch.ts'
import { hasCommit, inStore, isAncestor } from './store.ts'
import { isAtBranch, type Whose } from './working-repository.ts'

export interface HandOver {
  /** Where the branch stands now: what the agent added, if it only added. */
  readonly tip: string
  /** Commits that a merge in progress brings in. */
  readonly merged: readonly string[]
  /** The commit whose files the agent had last checked out where that was not the branch; null where it was. */
  readonly strayed: string | null
  /** What was not as it should be, as half a sentence; null when everything was in place. */
  readonly found: string | null
  /** Its repository does not stand where the host's does. */
  readonly differs: boolean
}

export interface HandOverRequest {
  readonly ground: Ground
  readonly whose: Whose
  readonly branch: string
  /** Where the host's branch stands. */
  readonly stands: string
  /** What the record has, and so the agent's repository after a crash. */
  readonly lastCommit: string
  readonly confined: Confined
}

export async function handOver(request: HandOverRequest): Promise<HandOver> {
  const { ground, whose, branch, stands } = request
  if (await isAtBranch(ground, whose, { branch, commit: stands }))
    return { tip: stands, merged: [], strayed: null, found: null, differs: false }
  return withScratch(ground, (scratch) => handedOver(request, scratch))
}

async function handedOver(request: HandOverRequest, scratch: Scratch): Promise<HandOver> {
  const { ground, branch, stands, lastCommit } = request
  const nothing = { tip: stands, merged: [], strayed: null }
  const told = await report(request, scratch)
  const ref = `refs/heads/${branch}`
  if (told === null) return { ...nothing, found: 'its repository could not be read', differs: true }
  const { on, at, tip, merging } = told
  if (on === ref && at === stands && tip === stands && merging === null)
    return { ...nothing, found: null, differs: false }

  const broken = await adoptObjects(ground, scratch)
  const refused =
    (broken === null ? null : `its commits were refused (${broken})`) ??
    (await lentIn(ground, { stands, commits: [tip, merging] })) ??
    (await unfit(ground, { stands, commits: [tip, at, merging] }))
  const holds = async (commit: string | null): Promise<boolean> =>
    refused === null && commit !== null && (await isWhole(ground, commit, stands))
  const grown = (await holds(tip)) && (await isAncestor(ground, stands, tip!))
  const left = on !== ref
  const strayed = left && (await holds(at)) ? at : null
  const isMerging = merging !== null && !left && refused === null && (await hasCommit(ground, merging))
  // Taken in already, by a host that did not come to say so.
  const merged = isMerging && !(await isAncestor(ground, merging, stands)) ? [merging] : []
  const isKnown =
    tip !== null && (await isAncestor(ground, lastCommit, tip)) && (await isAncestor(ground, tip, stands))
  const found = [
    left ? (on === null ? 'HEAD was detached' : `${on.replace(/^refs\/heads\//, '')} was checked out`) : '',
    grown || isKnown ? '' : (refused ?? 'commits of the run were rewritten or dropped'),
  ].filter((each) => each !== '')
  return {
    tip: grown ? tip! : stands,
    merged,
    strayed,
    found: found.length === 0 ? null : found.join(' and '),
    differs: left || !grown || merging !== null,
  }
}

/** Lines of words, and beside them a pack where there is anything new. */
const SCRIPT = `
branch="refs/heads/$1"
merging=
[ -e "$GIT_DIR/MERGE_HEAD" ] && merging=$(git rev-parse -q --verify 'MERGE_HEAD^{commit}')
on=$(git symbolic-ref -q HEAD)
at=$(git rev-parse -q --verify 'HEAD^{commit}')
tip=$(git rev-parse -q --verify "$branch^{commit}")
printf '%s\n' "$on" "$at" "$tip" "$merging" ''
if [ "$at" = "$2" ] && [ "$tip" = "$2" ]; then exit 0; fi
printf '%s\n' $at $tip "^$2" | git pack-objects -q --revs --stdout --thin --local --delta-base-offset > "$3/pack"
`

interface Report {
  readonly on: string | null
  readonly at: string | null
  readonly tip: string | null
  readonly merging: string | null
}

async function report(
  { ground, whose, branch, stands, confined }: HandOverRequest,
  { dir }: Scratch,
): Promise<Report | null> {
  const repository = whose === 'agents' ? ground.agentRepo : ground.peopleRepo
  const { code, stdout } = await twiceForRoom([ground.dir], () =>
    confined({
      ground,
      writes: 'nothing',
      also: { readable: [repository], writable: [dir] },
      argv: ['sh', '-c', SCRIPT, 'hand-over', branch, stands, dir],
      env: { GIT_DIR: repository, GIT_WORK_TREE: ground.worktree, GIT_NO_REPLACE_OBJECTS: '1' },
    }),
  )
  const [on = '', at = '', tip = '', merging = '', nothing] = stdout
    .toString('latin1', 0, LONGEST_WORDS)
    .split('\n')
  if (code !== 0 || nothing === undefined) return null
  return {
    on: /^refs\/heads\/[\x21-\x7e]+$/.test(on) ? on : null,
    at: commitName(at),
    tip: commitName(tip),
    merging: commitName(merging),
  }
}

const LONGEST_WORDS = 4096

const commitName = (word: string): string | null =>
  /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(word) ? word : null

/** A few kilobytes of trees can describe millions of files. */
const MAX_NAMES_BYTES = 64 * 1024 * 1024

/** Why no commit of these can be taken: too large for git to work with, or with a repository in it. */
async function unfit(
  ground: Ground,
  { stands, commits }: { readonly stands: string; readonly commits: readonly (string | null)[] },
): Promise<string | null> {
  const added = new Set(commits.flatMap((commit) => (commit === null || commit === stands ? [] : [commit])))
  for (const commit of added) {
    if (!(await hasCommit(ground, commit))) continue
    const listed = await git(['ls-tree', '-r', '-z', '--name-only', commit], {
      ...inStore(ground),
      maxBytes: MAX_NAMES_BYTES,
    })
    if (listed.truncated) return 'its commits were refused (they have too many files)'
    const names = namesOf(listed.stdout)
    const added = await repositoryAdded(ground, { before: stands, after: commit, names })
    if (added !== null) return `its commits were refused (${added})`
  }
  return null
}

/** Nothing of it is missing. */
async function isWhole(ground: Ground, commit: string, last: string): Promise<boolean> {
  const args = ['rev-list', '--objects', '--quiet', commit, '--not', last, '--']
  return (await git(args, inStore(ground))).code === 0
}

/** What of the user's they have that no commit is to have; null where there is nothing. */
async function lentIn(
  ground: Ground,
  { stands, commits }: { readonly stands: string; readonly commits: readonly (string | null)[] },
): Promise<string | null> {
  const lent = await broughtNames(ground)
  const added = commits.flatMap((commit) => (commit === null || commit === stands ? [] : [commit]))
  if (lent.length === 0 || added.length === 0) return null
  const tracked = await git(['ls-tree', '-r', '-z', '--name-only', stands, '--', ...lent], inStore(ground))
  const names = lent.filter((name) => !namesOf(tracked.stdout).includes(name))
  if (names.length === 0) return null
  const args = ['rev-list', '--max-count=1', ...added, `^${stands}`, '--', ...names]
  const { code, stdout } = await git(args, inStore(ground))
  return code === 0 && stdout === ''
    ? null
    : `its commits were refused (they may have none of ${someNames(names)})`
}
