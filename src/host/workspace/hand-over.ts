/**
 * What an agent did with git itself: the commits on the run's branch, and where it left HEAD. Its repository is asked
 * from within its sandbox; what comes out is words and a pack of objects, which the host's own git takes apart and
 * checks. Where the words are wrong, the commits are as good as never made: the files count.
 */
import { broughtNames } from './brought.ts'
import type { Confined } from './confined.ts'
import { namesOf, someNames } from './file-name.ts'
import { twiceForRoom } from './for-room.ts'
import { GitFailure, git, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'
import { hasCommit, inStore, isAncestor } from './store.ts'

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
  readonly branch: string
  /** Where the host's branch stands. */
  readonly stands: string
  /** What the record has, and so the agent's repository after a crash. */
  readonly lastCommit: string
  readonly confined: Confined
}

export async function handOver(request: HandOverRequest): Promise<HandOver> {
  const { ground, branch, stands, lastCommit } = request
  const told = await report(request)
  const ref = `refs/heads/${branch}`
  const nothing = { tip: stands, merged: [], strayed: null }
  if (told === null) return { ...nothing, found: 'its repository could not be read', differs: true }
  const { on, at, tip, merging, pack } = told
  if (on === ref && at === stands && tip === stands && merging === null)
    return { ...nothing, found: null, differs: false }

  const refused =
    (pack.length === 0 ? null : await unpack(ground, pack)) ??
    (await lentIn(ground, { stands, commits: [tip, merging] }))
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

/** Lines of words, an empty line, and a pack where there is anything new. */
const SCRIPT = `
branch="refs/heads/$1"
merging=
[ -e "$GIT_DIR/MERGE_HEAD" ] && merging=$(git rev-parse -q --verify 'MERGE_HEAD^{commit}')
if found=$(git rev-parse 'HEAD^{commit}' "$branch^{commit}" --symbolic-full-name HEAD 2>/dev/null) &&
  [ "$found" = "$2
$2
$branch" ]; then printf '%s\\n' "$branch" "$2" "$2" "$merging" ''; exit 0; fi
on=$(git symbolic-ref -q HEAD)
at=$(git rev-parse -q --verify 'HEAD^{commit}')
tip=$(git rev-parse -q --verify "$branch^{commit}")
printf '%s\\n' "$on" "$at" "$tip" "$merging" ''
if [ "$at" = "$2" ] && [ "$tip" = "$2" ]; then exit 0; fi
printf '%s\\n' $at $tip "^$2" | git pack-objects -q --revs --stdout --thin --local --delta-base-offset
`

interface Report {
  readonly on: string | null
  readonly at: string | null
  readonly tip: string | null
  readonly merging: string | null
  readonly pack: Buffer
}

async function report({ ground, branch, stands, confined }: HandOverRequest): Promise<Report | null> {
  const { code, stdout } = await twiceForRoom([ground.dir], () =>
    confined({
      ground,
      writes: 'agent',
      argv: ['sh', '-c', SCRIPT, 'hand-over', branch, stands],
      env: { GIT_DIR: ground.agentRepo, GIT_WORK_TREE: ground.worktree, GIT_NO_REPLACE_OBJECTS: '1' },
    }),
  )
  const [on = '', at = '', tip = '', merging = '', nothing] = stdout
    .toString('latin1', 0, LONGEST_WORDS)
    .split('\n')
  if (code !== 0 || nothing === undefined) return null
  const words = [on, at, tip, merging, nothing].reduce((sum, { length }) => sum + length + 1, 0)
  return {
    on: /^refs\/heads\/[\x21-\x7e]+$/.test(on) ? on : null,
    at: commitName(at),
    tip: commitName(tip),
    merging: commitName(merging),
    pack: stdout.subarray(words),
  }
}

const LONGEST_WORDS = 4096

const commitName = (word: string): string | null =>
  /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(word) ? word : null

/** Every object is hashed and looked at anew; null when all are sound, else what was wrong. */
async function unpack(ground: Ground, pack: Buffer): Promise<string | null> {
  const args = ['index-pack', '--stdin', '--fix-thin', '--strict']
  const result = await twiceForRoom([ground.dir], () => git(args, { ...inStore(ground), input: pack }))
  const { code, cutShort, stderr } = result
  // Nobody's commits are wrong because git did not get to look at them.
  if (cutShort !== null) throw new GitFailure(sentenceOf(args, result))
  return code === 0 ? null : `its commits were refused (${stderr.trim().split('\n').at(-1)?.slice(0, 200)})`
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
