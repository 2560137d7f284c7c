/**
 * Opens what is ours also where its own rights forbid it, as they do for keys, caches and whatever an agent closed. Rights
 * are changed by descriptor, so that whatever is swapped meanwhile nothing else gets them, and they are given back: a
 * file's as soon as it is open, a folder's when it is closed, for names in it are looked up until then.
 *
 * Linux names what a descriptor stands for through /proc. Elsewhere what is closed stays so, and is an error.
 */
import { type BigIntStats, constants } from 'node:fs'
import { chmod, type FileHandle, open } from 'node:fs/promises'
import { codeOf } from './file-error.ts'
import { HAS_PROC } from './inside.ts'

/** A path as the system has it: names need not be text. */
export type RawPath = Buffer | string

export interface UnlockedFolder {
  readonly path: Buffer
  /** Which one it is, whatever it is called. */
  readonly identity: string
  close(): Promise<void>
}

const { O_RDONLY, O_WRONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants
/** Node has no name for it: a descriptor for which no right to the file is asked. */
const O_PATH = 0o10000000
const RIGHTS = 0o7777
const MAY_READ = 0o400
const MAY_WRITE = 0o200
const MAY_GO_THROUGH = 0o500

/** A file, to read. One that has another name, and cannot be read, stays as it is: that may be somebody else's. */
export async function openToRead(path: RawPath): Promise<FileHandle> {
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (!isClosed(error)) throw error
    const pin = await open(path, O_PATH | O_NOFOLLOW)
    try {
      const { mode, nlink } = await pin.stat()
      if ((mode & constants.S_IFMT) !== constants.S_IFREG || nlink !== 1) throw error
      await chmod(placeOf(pin), (mode & RIGHTS) | MAY_READ)
      try {
        return await open(placeOf(pin), O_RDONLY | O_NONBLOCK)
      } finally {
        await chmod(placeOf(pin), mode & RIGHTS)
      }
    } finally {
      await pin.close()
    }
  }
}

/** The very file that was read. */
export async function openToWrite(read: FileHandle, path: RawPath): Promise<FileHandle> {
  if (!HAS_PROC) return openSame(read, path)
  try {
    return await open(placeOf(read), O_WRONLY | O_NONBLOCK)
  } catch (error) {
    if (!isClosed(error)) throw error
    const { mode } = await read.stat()
    await read.chmod((mode & RIGHTS) | MAY_WRITE)
    try {
      return await open(placeOf(read), O_WRONLY | O_NONBLOCK)
    } finally {
      await read.chmod(mode & RIGHTS)
    }
  }
}

async function openSame(read: FileHandle, path: RawPath): Promise<FileHandle> {
  const write = await open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
  const [one, other] = await Promise.all([write.stat({ bigint: true }), read.stat({ bigint: true })])
  if (identityIn(one) === identityIn(other)) return write
  await write.close()
  throw Object.assign(new Error('It was swapped while it was looked into.'), { code: 'ESTALE' })
}

/** A folder, to be listed and gone into. */
export async function openFolder(path: RawPath): Promise<UnlockedFolder> {
  const { handle, stat } = await openClosedFolder(path)
  const mode = rightsIn(stat)
  const isChanged =
    (mode & MAY_GO_THROUGH) !== MAY_GO_THROUGH && (await isDone(handle.chmod(mode | MAY_GO_THROUGH)))
  return {
    path: HAS_PROC ? Buffer.from(placeOf(handle)) : Buffer.from(path),
    identity: identityIn(stat),
    async close() {
      if (isChanged) await isDone(handle.chmod(mode))
      await handle.close()
    },
  }
}

/** With what it was like before. */
async function openClosedFolder(
  path: RawPath,
): Promise<{ readonly handle: FileHandle; readonly stat: BigIntStats }> {
  try {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    return { handle, stat: await handle.stat({ bigint: true }) }
  } catch (error) {
    if (!isClosed(error)) throw error
    const pin = await open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
    try {
      const stat = await pin.stat({ bigint: true })
      await chmod(placeOf(pin), rightsIn(stat) | MAY_GO_THROUGH)
      const handle = await open(placeOf(pin), O_RDONLY | O_DIRECTORY).catch(async (failed: unknown) => {
        await isDone(chmod(placeOf(pin), rightsIn(stat)))
        throw failed
      })
      return { handle, stat }
    } finally {
      await pin.close()
    }
  }
}

const rightsIn = ({ mode }: BigIntStats): number => Number(mode) & RIGHTS

const identityIn = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/** What is somebody else's keeps its rights, and what is in it is told one by one. */
const isDone = (change: Promise<void>): Promise<boolean> =>
  change.then(
    () => true,
    () => false,
  )

const isClosed = (error: unknown): boolean => HAS_PROC && codeOf(error) === 'EACCES'

const placeOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`
