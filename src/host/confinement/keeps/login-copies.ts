/**
 * Copies of the user's login, one set for each session. Whatever the agent makes of its copy, the user's file changes in one
 * way only: the host writes it anew with refreshed tokens, see refreshed-login.ts. Of two changes the user's own counts.
 *
 * `synced` remembers what both sides were when they were last equal. It lies beside the home, out of the agent's reach, and
 * outlives a killed host, so a token that was refreshed just before is taken back by the next session.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, statSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readRegular } from '../../workspace/artifacts.ts'
import { isMissing } from '../../workspace/file-error.ts'
import { openInside } from '../../workspace/inside.ts'
import { putFile, removeInside } from './inside-home.ts'
import { refreshedLogin } from './refreshed-login.ts'

export interface LoginFile {
  /** As the entry names it: `~/.codex/auth.json`. */
  readonly place: string
  /** The user's own file; null where the place is not granted. */
  readonly own: string | null
  /** The names that lead to the copy in the private home. */
  readonly names: readonly string[]
}

export interface LoginCopies {
  /** What a session that was killed left to be said. */
  readonly notes: readonly string[]
  /** Takes refreshed tokens back, and hands on a login that the user renewed. Gives sentences for the record. */
  sync(): Promise<readonly string[]>
  /** A last look, after which no copy is left in the home. */
  end(): Promise<readonly string[]>
}

/** A login with a few tokens has some KB. */
const MAX_LOGIN_BYTES = 256 * 1024

type Look = 'one of many' | 'last'

type Synced = Record<string, { readonly own: string; readonly copy: string }>

export async function layLogins(home: string, files: readonly LoginFile[]): Promise<LoginCopies> {
  const record = `${home}.logins`
  let synced = await readSynced(record)
  const keep = (): Promise<void> => writeFile(record, JSON.stringify(synced), { mode: 0o600 })

  async function syncOne({ place, own, names }: LoginFile, look: Look): Promise<readonly string[]> {
    const mine = own === null ? null : await readLogin(own)
    const before = synced[place]
    if (mine === null || own === null) {
      if (before !== undefined) await removeInside(home, names)
      delete synced[place]
      return []
    }
    const handOut = async (): Promise<void> => {
      await putFile(home, names, mine)
      synced[place] = { own: digestOf(mine), copy: digestOf(mine) }
    }
    if (before === undefined || before.own !== digestOf(mine)) {
      await handOut()
      return []
    }
    const copy = await readCopy(home, names)
    if (copy === null || digestOf(copy) === before.copy) return []
    const refreshed = refreshedLogin(textOf(mine), textOf(copy))
    if (refreshed.kind === 'same') return []
    // It may be half written, and whole at the next look.
    if (refreshed.kind === 'refused')
      return look === 'last'
        ? [`the agent changed its copy of ${place}; nothing was written back, because ${refreshed.why}`]
        : []
    const bytes = new TextEncoder().encode(refreshed.text)
    const problem = await replaceOwn(own, { bytes, expected: before.own })
    if (problem !== null) return [`a refreshed login could not be written to ${place}: ${problem}`]
    synced[place] = { own: digestOf(bytes), copy: digestOf(copy) }
    return [`${place} has a refreshed login of the agent's: ${refreshed.changed.join(', ')}`]
  }

  const syncAll = async (look: Look): Promise<readonly string[]> => {
    const was = JSON.stringify(synced)
    const notes: string[] = []
    for (const file of files) notes.push(...(await syncOne(file, look)))
    if (JSON.stringify(synced) !== was) await keep()
    return notes
  }

  const notes = await syncAll('last')
  // Whatever that session made of its copy, this one begins with the user's.
  synced = {}
  await syncAll('one of many')
  return {
    notes,
    sync: () => syncAll('one of many'),
    end: async () => {
      try {
        return await syncAll('last')
      } finally {
        for (const { names } of files) await removeInside(home, names)
        await rm(record, { force: true })
      }
    },
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function readLogin(file: string): Promise<Uint8Array | null> {
  const read = await readRegular(file, MAX_LOGIN_BYTES)
  return 'why' in read ? null : read.bytes
}

/** Null where the agent left nothing that could be a login: no file, a link, or too much. */
async function readCopy(home: string, names: readonly string[]): Promise<Uint8Array | null> {
  const folder = await openInside(home, names.slice(0, -1)).catch(() => 'missing' as const)
  if (typeof folder === 'string') return null
  try {
    return await readLogin(folder.entry(names.at(-1)!))
  } finally {
    await folder.close()
  }
}

/** Null where it is done. The look and the step after it leave no room for another session of this host. */
async function replaceOwn(
  own: string,
  { bytes, expected }: { readonly bytes: Uint8Array; readonly expected: string },
): Promise<string | null> {
  const fresh = join(dirname(own), `.${basename(own)}.${randomUUID()}`)
  try {
    await writeFile(fresh, bytes, { flag: 'wx', mode: statSync(own).mode & 0o777, flush: true })
    if (digestOf(readFileSync(own)) !== expected) return 'it changed at the same time'
    renameSync(fresh, own)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(fresh, { force: true })
  }
}

async function readSynced(record: string): Promise<Synced> {
  try {
    return JSON.parse(await readFile(record, 'utf8')) as Synced
  } catch (error) {
    // A host that was killed while it wrote this: the user's own counts.
    if (isMissing(error) || error instanceof SyntaxError) return {}
    throw error
  }
}
