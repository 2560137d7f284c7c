/**
 * The owner's door: a Unix socket in the home. Only its user can open it, no sandbox is ever granted it, and it goes with the home: so
 * neither side needs a token to prove itself. A port says nothing of who listens there.
 */
import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { connect, type Server, type Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'

export interface PublishedSocket {
  /** Removes its file, unless another host has put one in its place. */
  remove(): void
}

/** Listens under another name first: the file is there only when it can be used, by its user alone. */
export async function listenAtSocket(
  server: Server,
  file: string,
): Promise<{ readonly publish: () => PublishedSocket } | { readonly problem: string }> {
  const draft = `${file}.${process.pid}`
  try {
    rmSync(draft, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      withShortPath(draft, (path) => server.listen(path, resolve))
    })
    chmodSync(draft, 0o600)
  } catch (error) {
    return { problem: `The host cannot listen at ${file} (${messageOf(error)}).` }
  }
  return {
    publish: () => {
      const { ino } = lstatSync(draft)
      renameSync(draft, file)
      return {
        remove: () => {
          if (lstatSync(file, { throwIfNoEntry: false })?.ino === ino) rmSync(file, { force: true })
        },
      }
    },
  }
}

export function connectToSocket(file: string): Socket {
  // In a home that others may write to, theirs could stand in its place.
  if (lstatSync(file).uid !== statSync(dirname(file)).uid)
    throw new Error(`${file} belongs to another user. Remove it and start the host again.`)
  // An error after the whole reply has come changes nothing.
  return withShortPath(file, (path) => connect(path).on('error', () => {}))
}

/** The kernel takes 107 bytes on Linux, 103 on macOS, and Node cuts off the rest. */
const MAX_SOCKET_PATH = 103

/** Both `listen` and `connect` use the path before they return, so the link can go at once. */
function withShortPath<T>(file: string, use: (path: string) => T): T {
  if (Buffer.byteLength(file) <= MAX_SOCKET_PATH) return use(file)
  const folder = mkdtempSync('/tmp/signalbox-')
  try {
    const link = join(folder, 'home')
    symlinkSync(dirname(file), link)
    return use(join(link, basename(file)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
