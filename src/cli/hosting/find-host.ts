/** The host that answers at its door. */
import { homeAt } from '../../host/machine/home.ts'
import type { Environment } from '../environment.ts'
import { type DoorFile, readDoorFile } from './door-file.ts'

export async function findHost({ home }: Pick<Environment, 'home'>): Promise<DoorFile | null> {
  const door = readDoorFile(homeAt(home).door)
  if (door === null) return null
  try {
    const response = await fetch(`${door.url}/api/v1/runs?limit=1`, {
      headers: { authorization: `Bearer ${door.token}` },
      signal: AbortSignal.timeout(2_000),
    })
    return response.ok ? door : null
  } catch {
    return null
  }
}
