/** Failures of git that pass for an answer: not where the disk was in its way, of which nobody may be told anything else. */
import { whyLittleRoom, whyNoRoom } from '../machine/room.ts'
import { storageFailureIn } from '../machine/storage.ts'

interface Ended {
  /** 0 where it did what it was to do. */
  readonly code: number | null
  readonly cutShort: string | null
  readonly stderr: string
}

/** Once more where it failed, whatever it said; throws where there is no room. */
export async function twiceForRoom<R extends Ended>(
  dirs: readonly string[],
  act: () => Promise<R>,
): Promise<R> {
  const first = await act()
  if (first.code === 0 || first.cutShort !== null) return first
  const second = await act()
  if (second.code !== 0) throwForRoom(dirs, second.stderr)
  return second
}

/** An agent can choose some of the words, so with room enough they are not believed. */
function throwForRoom(dirs: readonly string[], said: string): void {
  const lack = whyNoRoom(dirs) ?? (storageFailureIn(said) === null ? null : whyLittleRoom(dirs))
  if (lack !== null) throw lack
}
