/**
 * Where a text still stands after erasing. Nothing here knows what was erased or how: record, files and repositories are read
 * anew, with a finder of its own, and what this finds is what is said.
 */
import { lstat } from 'node:fs/promises'
import type { Journal } from '../../journal/index.ts'
import { orAltered } from '../../model/failure.ts'
import type { Placed } from '../runs/projection.ts'
import { isRun, runOf } from '../runs/runs.ts'
import { codeFrom } from '../workspace/file-error.ts'
import { walkFiles } from '../workspace/file-walk.ts'
import { problemOf } from '../workspace/git.ts'
import { type Ground, groundAt } from '../workspace/ground.ts'
import { openToRead, type RawPath } from '../workspace/open-anyway.ts'
import { type FoundInRepository, refText, searchUserRepository } from '../workspace/search-objects.ts'
import { hasStore } from '../workspace/store.ts'
import { placedIn, type TakingTools } from './take-away.ts'
import { createTextFinder, type TextFinder } from './text-finder.ts'

/** Sentences about all repositories that runs worked on or work in. */
export async function lookInRepositories(tools: TakingTools, texts: readonly string[]): Promise<string[]> {
  const finds = createTextFinder(texts)
  const { home } = tools.processEnvironment
  const remains: string[] = []
  const runsOf = new Map<string, { readonly run: string; readonly branch: string }[]>()
  for (const { run, placed } of await placements(tools.journal)) {
    if ('problem' in placed) {
      remains.push(`The repositories of run ${run} were not looked into: ${placed.problem}`)
      continue
    }
    const { gitDir, branch } = placed.placement
    runsOf.set(gitDir, [...(runsOf.get(gitDir) ?? []), { run, branch }])
    const ground = groundAt(home, placed.placement)
    const inGround = hasStore(ground) ? await lookInGround(tools, ground, finds) : null
    if (inGround !== null) remains.push(`${inGround} To remove them: signalbox erase --run ${run}`)
  }
  for (const [gitDir, runs] of runsOf) {
    const found = await searchUserRepository(gitDir, finds)
    if (found !== null) remains.push(...foundText(gitDir, found, runs))
  }
  return remains
}

async function placements(
  journal: Journal,
): Promise<{ readonly run: string; readonly placed: Placed | Unplaced }[]> {
  const streams = (await journal.heads(0)).map(({ stream }) => stream).filter(isRun)
  const found: { run: string; placed: Placed | Unplaced }[] = []
  for (const stream of streams) {
    const events = await orAltered(() => journal.read(stream, 0))
    found.push({ run: runOf(stream), placed: 'problem' in events ? events : (placedIn(events) ?? UNPLACED) })
  }
  return found
}

type Unplaced = { readonly problem: string }
const UNPLACED: Unplaced = { problem: 'its record does not say where they are.' }

const lookInGround = (
  { workplaces }: TakingTools,
  ground: Ground,
  finds: TextFinder,
): Promise<string | null> =>
  workplaces
    .searchGround(ground, finds)
    .catch(
      (error: unknown) =>
        `The repositories in ${ground.dir} were not looked into: ${problemOf(error).problem}`,
    )

function foundText(
  gitDir: string,
  { refs, isLoose, unseen }: FoundInRepository,
  runs: readonly { readonly run: string; readonly branch: string }[],
): string[] {
  const texts = unseen === '' ? [] : [unseen]
  for (const ref of refs.filter(isOurs))
    texts.push(`In ${gitDir}, ${ref} has it. ${cureOf(ref, gitDir, runs)}`)
  const users = refs.filter((ref) => !isOurs(ref)).map(refText)
  if (users.length > 0)
    texts.push(
      `In ${gitDir}, commits of yours have it (${users.slice(0, MAX_REFS).join(', ')}${users.length > MAX_REFS ? ', …' : ''}). Signalbox does not rewrite them: use git filter-repo there, also where they were pushed.`,
    )
  if (isLoose || texts.length > (unseen === '' ? 0 : 1))
    texts.push(
      `${isLoose ? 'Objects' : 'Afterwards objects'} of ${gitDir} that no branch has ${isLoose ? 'have it' : 'keep it'} until: git -C ${gitDir} reflog expire --expire-unreachable=now --all && git -C ${gitDir} gc --prune=now`,
    )
  return texts
}

const MAX_REFS = 10

const isOurs = (ref: string): boolean => /^refs\/(?:heads\/)?signalbox\//.test(ref)

function cureOf(
  ref: string,
  gitDir: string,
  runs: readonly { readonly run: string; readonly branch: string }[],
): string {
  const run = runs.find(({ branch }) => ref === `refs/heads/${branch}`)
  if (run !== undefined) return `To remove it: signalbox erase --run ${run.run}`
  if (ref === 'refs/heads/signalbox/issues')
    return `It keeps what runs changed of issues. Bring those to your branch (signalbox issue sync), then: git -C ${gitDir} branch -D signalbox/issues`
  return `To remove it: git -C ${gitDir} update-ref -d ${ref}`
}

/** Sentences about the record and all files. `roots` are files and folders. */
export async function lookInRecord(
  { journal, log }: TakingTools,
  texts: readonly string[],
  { roots, told }: { readonly roots: readonly string[]; readonly told: readonly string[] },
): Promise<string[]> {
  const finds = createTextFinder(texts)
  await log.flush()
  const remains: string[] = []
  const inJournal = await journal.wouldErase({
    at: 0,
    streams: [],
    // It changes nothing: the order is only planned.
    edit: {
      text: (text) => (finds(Buffer.from(text)) ? text : null),
      bytes: (bytes) => (finds(bytes) ? bytes : null),
    },
    project: async () => [],
    note: null,
  })
  const events = inJournal.events.length
  if (events + inJournal.bytes.length > 0)
    remains.push(
      `The record has it in a form that is not erased, in ${events} events and ${inJournal.bytes.length} pieces of kept bytes${events === 0 ? '' : ` (${[...new Set(inJournal.events.map(({ stream }) => stream))].slice(0, MAX_REFS).join(', ')})`}. Erase what stands there in that very form, or the run.`,
    )
  for (const root of roots)
    for await (const text of lookInFiles(root, finds))
      if (remains.length < MAX_TOLD && !told.some((each) => each.startsWith(text.split(' has it ')[0]!)))
        remains.push(text)
  return remains
}

const MAX_TOLD = 500

async function* lookInFiles(root: string, finds: TextFinder): AsyncGenerator<string> {
  const kind = await lstat(root).catch(codeFrom)
  if (typeof kind !== 'string' && kind.isFile() && (await hasIt(root, finds))) yield foundIn(root)
  if (typeof kind === 'string' || !kind.isDirectory()) return
  for await (const step of walkFiles(root)) {
    if (step.kind !== 'file') continue
    const name = step.name()
    if (isObject(name)) continue
    if (finds(Buffer.from(name))) yield `${name} has it in its name. Remove it by hand.`
    if (await hasIt(step.path, finds)) yield foundIn(name)
  }
}

const foundIn = (name: string): string =>
  `${name} has it in a form that is not erased. Remove the file, or what stands in it.`

/** Compressed, and looked into by git. */
const isObject = (name: string): boolean =>
  /\/objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/[^/]+)$/.test(name)

const PIECE = 1024 * 1024
const OVERLAP = 64 * 1024

async function hasIt(path: RawPath, finds: TextFinder): Promise<boolean> {
  const file = await openToRead(path).catch(codeFrom)
  // What cannot be opened is told by the erasing itself.
  if (typeof file === 'string') return false
  try {
    const { size } = await file.stat()
    const piece = Buffer.alloc(Math.min(PIECE, size))
    for (let at = 0; at < size; at += PIECE - OVERLAP) {
      const { bytesRead } = await file.read({ buffer: piece, position: at })
      if (bytesRead === 0) return false
      if (finds(piece.subarray(0, bytesRead))) return true
    }
    return false
  } finally {
    await file.close()
  }
}
