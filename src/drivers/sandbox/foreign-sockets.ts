/**
 * Unix sockets of this machine that a view would show. Being read-only keeps nobody from speaking to a socket, so each
 * one is covered. The kernel tells of those that are bound by a full path in our own network: of one that is bound later,
 * or in another container on a shared folder, we hear nothing.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groundOf, isWithin, type Mount } from './mounts.ts'
import { entryAt, realPathOf } from './real-path.ts'

export function coversOf(mounts: readonly Mount[], sockets: readonly string[]): Mount[] {
  const covers = new Map<string, Mount>()
  for (const socket of sockets)
    for (const mount of mounts) {
      // What is granted by its own name is meant.
      if (mount.kind !== 'bind' || mount.from === socket || !isWithin(socket, mount.from)) continue
      const at = join(mount.at, socket.slice(mount.from.length))
      if (groundOf(mounts, at) === mount) covers.set(at, { kind: 'masked', at })
    }
  return [...covers.values()]
}

export function boundSockets(): string[] {
  return readTable()
    .split('\n')
    .flatMap((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? [])
    .map((path) => Buffer.from(path, 'latin1').toString('utf8'))
    .filter(isSocket)
    .flatMap((path) => realPathOf(path)?.path ?? [])
}

function readTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'latin1')
  } catch {
    return ''
  }
}

const isSocket = (path: string) => entryAt(path)?.isSocket() ?? false
