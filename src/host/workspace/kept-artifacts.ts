/** What agents and commands leave in the folder of a run: kept in the store, by name and digest. */
import { createHash } from 'node:crypto'
import type { Journal } from '../../journal/index.ts'
import type { Fact } from '../../model/fact.ts'
import type { Clock } from '../machine/clock.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { type Artifacts, bringArtifacts, collectArtifacts } from './artifacts.ts'
import type { Confined } from './confined.ts'
import type { Ground } from './ground.ts'
import { isAnswerFile, RUN_DIR } from './run-folder.ts'

const LARGEST_ARTIFACT = 8 * 1024 * 1024
const MOST_ARTIFACTS = 200

/** Answers are recorded as answers. */
export async function artifactsIn(worktree: string): Promise<Artifacts> {
  const { kept, refused } = await collectArtifacts({
    worktree,
    dir: RUN_DIR,
    maxBytes: LARGEST_ARTIFACT,
    maxFiles: MOST_ARTIFACTS,
  })
  const isArtifact = ({ name }: { readonly name: string }): boolean => !isAnswerFile(name)
  return { kept: kept.filter(isArtifact), refused: refused.filter(isArtifact) }
}

export interface LeftAt {
  readonly loaded: Pick<LoadedRun, 'artifacts'>
  readonly step: string
  readonly visit: number
}

/** Told only of what is not kept already. */
export async function keepArtifacts(
  { journal, clock }: { readonly journal: Pick<Journal, 'keep'>; readonly clock: Clock },
  { kept, refused }: Artifacts,
  { loaded: { artifacts }, step, visit }: LeftAt,
): Promise<Fact[]> {
  const at = clock.now()
  const facts: Fact[] = []
  for (const { name, bytes } of kept) {
    const digest = await journal.keep(bytes)
    if (artifacts[name] === digest) continue
    facts.push({ type: 'artifact.kept', at, step, visit, name, digest, bytes: bytes.length })
  }
  for (const { name, why } of refused)
    facts.push({ type: 'host.noted', at, text: `artifact ${name} was not kept: ${why}` })
  return facts
}

/** Nothing is lost to the agent: what was undone lies where it can mend it. Gives back the words with where that is. */
export async function leavePatch(
  place: { readonly ground: Ground; readonly confined: Confined },
  words: string,
  patch: string,
): Promise<string> {
  const bytes = new TextEncoder().encode(patch)
  const name = `refused-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.patch`
  await bringArtifacts({ ...place, artifacts: [{ name, bytes }] })
  return `${words}\n\nWhat was undone is kept: \`git apply ${RUN_DIR}/${name}\` brings it back, to be mended.`
}
