/** The program a run keeps, as it was when the run began: a run whose program is another one by now does not go on. */
import { type Journal, KeptBytesError } from '../../journal/index.ts'
import type { Program } from '../../model/program.ts'

export async function keptProgram(journal: Pick<Journal, 'fetch'>, digest: string): Promise<Program> {
  const bytes = await journal.fetch(digest).catch((error: unknown) => {
    throw error instanceof KeptBytesError ? new KeptBytesError(digest, changedSentence(digest)) : error
  })
  if (bytes === null) throw new KeptBytesError(digest, goneSentence(digest))
  return usableProgram(digest, () => JSON.parse(new TextDecoder().decode(bytes)) as Program)
}

/** What is made of one that passed every check when it was kept: where it cannot be any more, words that it needs were erased. */
export function usableProgram<T>(digest: string, make: () => T): T {
  try {
    return make()
  } catch {
    throw new KeptBytesError(digest, erasedSentence(digest))
  }
}

const changedSentence = (digest: string): string =>
  `The program ${digest.slice(0, 12)}… was changed in the journal's store after its runs began, so they do not go on. ` +
  BACKUP

const goneSentence = (digest: string): string =>
  `The program ${digest.slice(0, 12)}… is not in the journal's store any more, so its runs do not go on. ${BACKUP}`

const erasedSentence = (digest: string): string =>
  `Of the program ${digest.slice(0, 12)}… words were erased that it needs, so its runs do not go on. ${BACKUP}`

const BACKUP =
  'Put a copy of the database from a backup in its place; signalbox doctor tells what else was changed.'
