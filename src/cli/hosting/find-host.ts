/** The host that answers at its door. */
import { homeAt } from '../../host/machine/home.ts'
import type { Environment } from '../environment.ts'
import { type DoorFile, readDoorFile } from './door-file.ts'

export async function findHost({ home }: Pick<Environment, 'home'>): Promise<DoorFile | null> {
  const door = readDoorFile(homeAt(home).door)
  if (door === null) return null
  const { exchange } = await import('../../drivers/http-exchange.ts')
  try {
    const { status } = await exchange({
      url: `${door.url}/api/v1/runs?limit=1`,
      method: 'GET',
      headers: { authorization: `Bearer ${door.token}` },
      body: null,
      signal: AbortSignal.timeout(2_000),
    })
    return status === 200 ? door : null
  } catch {
    return null
  }
}
