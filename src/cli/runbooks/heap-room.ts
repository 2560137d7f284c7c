/** Whether the heap has room for more. A heap that is full ends the process in the middle of a sentence. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of what this process may use; the rest is for what is done with it afterwards. */
const MOST_USED = 0.7

export function hasRoom(): boolean {
  if (isRoomy()) return true
  collectGarbage()
  return isRoomy()
}

function isRoomy(): boolean {
  const { used_heap_size: used, external_memory: external, heap_size_limit: limit } = getHeapStatistics()
  return used + external < limit * MOST_USED
}

/** What is used counts with what is only not yet cleared away, and only the collector can tell them apart. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
