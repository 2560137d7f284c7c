/** The host of a home: whatever answers at the socket in it. */
import { homeAt } from '../../host/machine/home.ts'
import type { Environment } from '../environment.ts'
import { type DoorFile, readDoorFile } from './door-file.ts'
import { connectToSocket } from './owner-socket.ts'

export interface FoundHost extends DoorFile {
  /** The owner's door. */
  readonly socket: string
}

export async function findHost({ home }: Pick<Environment, 'home'>): Promise<FoundHost | null> {
  const { door: file, socket } = homeAt(home)
  const { exchange } = await import('../../drivers/http-exchange.ts')
  try {
    const { status } = await exchange({
      url: 'http://localhost/api/v1/runs?limit=1',
      method: 'GET',
      headers: {},
      body: null,
      signal: AbortSignal.timeout(2_000),
      connect: () => connectToSocket(socket),
    })
    // Read now: a host writes it before its socket can be found.
    const door = readDoorFile(file)
    return status === 200 && door !== null ? { ...door, socket } : null
  } catch {
    return null
  }
}
