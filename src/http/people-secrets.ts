/**
 * A secret for each person, under which all that lets them in is signed: tokens, browser sessions, links. It is made of the home's own
 * secret and of a mark in the home. Without the mark everything that was signed for a person is worth nothing, and the next one is another:
 * so revoking is removing a file, and a name that was taken off the list and put back begins anew.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSecret } from './secret.ts'
import { signatureOf } from './signature.ts'

export interface PeopleSecrets {
  /** Tells this home from others. */
  readonly homeName: string
  /** To sign with; makes the mark where there is none. */
  ensure(name: string): string
  /** To check with; null for a person who is not listed, or for whom nothing was signed since. */
  find(name: string): string | null
  /** False where nothing was signed. */
  revoke(name: string): boolean
  /** For all who are not listed any more. */
  revokeUnlisted(): void
}

/** `unknown`: the list cannot be read at the moment, which must not cost anybody their token. */
export type ListStanding = 'listed' | 'unlisted' | 'unknown'

export function openPeopleSecrets({
  file,
  dir,
  listingOf,
}: {
  /** Of the home's own secret. */
  readonly file: string
  /** Of the marks. */
  readonly dir: string
  readonly listingOf: (name: string) => ListStanding
}): PeopleSecrets {
  const secret = openSecret(file)
  const fileOf = (name: string): string => join(dir, `${encodeURIComponent(name)}${ENDING}`)
  const secretUnder = (name: string, mark: string): string => signatureOf(secret, ['person', name, mark])
  const revoke = (name: string): boolean => {
    const isThere = readMark(fileOf(name)) !== null
    rmSync(fileOf(name), { force: true })
    return isThere
  }
  return {
    homeName: signatureOf(secret, ['cookie']).slice(0, 8),
    ensure: (name) => secretUnder(name, readMark(fileOf(name)) ?? makeMark(dir, fileOf(name))),
    find: (name) => {
      if (!canHaveMark(name)) return null
      const listing = listingOf(name)
      if (listing === 'unlisted') revoke(name)
      const mark = listing === 'listed' ? readMark(fileOf(name)) : null
      return mark === null ? null : secretUnder(name, mark)
    },
    revoke,
    revokeUnlisted: () => {
      for (const name of markedIn(dir)) if (listingOf(name) === 'unlisted') revoke(name)
    },
  }
}

const ENDING = '.mark'
const MAX_FILE_NAME = 200

/** Whoever calls can say any name: of a file only what can be one is made. */
const canHaveMark = (name: string): boolean =>
  !/\p{Cs}/u.test(name) && encodeURIComponent(name).length <= MAX_FILE_NAME

const markedIn = (dir: string): readonly string[] =>
  namesIn(dir).flatMap((file) =>
    file.endsWith(ENDING) ? [decodeURIComponent(file.slice(0, -ENDING.length))] : [],
  )

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

function readMark(file: string): string | null {
  try {
    const mark = readFileSync(file, 'utf8').trim()
    return mark === '' ? null : mark
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Of two that make one at a time, both use the first. */
function makeMark(dir: string, file: string): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(16).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const mark = readMark(file)
  if (mark === null) throw new Error(`${file} is empty. Remove it: the person it is for needs a new token.`)
  return mark
}
