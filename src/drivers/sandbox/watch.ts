/**
 * Watches what a sandbox uses as a whole, and tells when it is too much. Where a control group holds the limits, it only
 * says so. Else we look now and then at what all processes use together, which no limit of a single process bounds: through
 * the sandbox's own /proc, for a small share of our time.
 */
import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { memoryExcess, processExcess } from './control-group.ts'
import type { SandboxLimits } from './sandbox.ts'

interface Use {
  /** Processes with their threads, as the system counts them. */
  readonly processes: number
  readonly memoryBytes: number
}

/** Processes are counted more often than looked at: they multiply faster than anything else. */
const COUNT_MS = 50
const LOOK_MS = 250
/** So many times as long as a look took, we wait for the next; but a machine that is brought to its knees makes looks long. */
const SHARE = 30
const LONGEST_PAUSE_MS = 500

export interface WatchedSandbox {
  /** The first process of the sandbox, by the number it has outside. */
  readonly first: number
  readonly limits: SandboxLimits
  /** Places in it that are kept in memory. */
  readonly temporary: readonly string[]
  readonly onOver: (sentence: string) => void
}

interface WatchedGroup {
  readonly excess: () => string | null
  readonly onOver: (sentence: string) => void
}

/** Gives back what ends it. */
export function watchGroup({ excess, onOver }: WatchedGroup): () => void {
  const timer = setInterval(() => {
    const over = excess()
    if (over === null) return
    clearInterval(timer)
    onOver(over)
  }, COUNT_MS).unref()
  return () => clearInterval(timer)
}

/** Gives back what ends it. */
export function watch({ first, limits, temporary, onOver }: WatchedSandbox): () => void {
  const { processes, memoryBytes } = limits
  if (processes === null && memoryBytes === null) return () => {}
  const root = `/proc/${first}/root`
  const proc = `${root}/proc`
  const places = temporary.map((at) => `${root}${at}`)
  let timer: NodeJS.Timeout | null = null
  let lookAt = performance.now() + LOOK_MS
  const step = () => {
    const begunAt = performance.now()
    const pids = pidsIn(proc)
    const isTooMany = processes !== null && pids.length > processes
    const isLook = begunAt >= lookAt && !isTooMany
    const use = isLook ? useOf(proc, pids, places) : { processes: pids.length, memoryBytes: 0 }
    const over = excessOf(use, limits)
    if (over !== null) return onOver(over)
    const tookMs = performance.now() - begunAt
    const pauseMs = Math.min(LONGEST_PAUSE_MS, tookMs * SHARE)
    if (isLook) lookAt = performance.now() + Math.max(LOOK_MS, pauseMs)
    plan(Math.max(processes === null ? LOOK_MS : COUNT_MS, pauseMs))
  }
  const plan = (ms: number) => {
    timer = setTimeout(step, ms).unref()
  }
  plan(COUNT_MS)
  return () => {
    if (timer !== null) clearTimeout(timer)
  }
}

function excessOf({ processes, memoryBytes }: Use, limits: SandboxLimits): string | null {
  if (limits.memoryBytes !== null && memoryBytes > limits.memoryBytes)
    return memoryExcess(limits.memoryBytes, memoryBytes)
  return limits.processes !== null && processes > limits.processes ? processExcess(limits.processes) : null
}

const pidsIn = (proc: string) => entriesOf(proc).filter((name) => /^\d+$/.test(name))

/** What is each process's own, its share of memory that has no file, and files in memory, whether anything maps them or not. */
function useOf(proc: string, pids: readonly string[], places: readonly string[]): Use {
  let [processes, kibibytes] = [0, 0]
  for (const pid of pids) {
    const status = read(`${proc}/${pid}/status`)
    processes += numberOf(status, 'Threads')
    const shares = read(`${proc}/${pid}/smaps_rollup`)
    // A process may hide its mappings. All that it has then counts as its own.
    kibibytes +=
      shares === ''
        ? numberOf(status, 'RssAnon') + numberOf(status, 'VmSwap') + numberOf(status, 'RssShmem')
        : numberOf(shares, 'Pss_Anon') + numberOf(shares, 'SwapPss')
    if (numberOf(shares, 'Pss_Shmem') > 0) kibibytes += sharesWithoutFile(read(`${proc}/${pid}/smaps`))
  }
  const inFiles = places.reduce((sum, place) => sum + bytesUsed(place), 0)
  return { processes, memoryBytes: kibibytes * 1024 + inFiles }
}

/** Of memory that processes share without a file of theirs. */
const sharesWithoutFile = (smaps: string): number =>
  smaps
    .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    .filter((mapping) => /^.*\/dev\/zero \(deleted\)$/m.test(mapping))
    .reduce((sum, mapping) => sum + numberOf(mapping, 'Pss'), 0)

function bytesUsed(place: string): number {
  try {
    const { bsize, blocks, bfree } = statfsSync(place)
    return bsize * (blocks - bfree)
  } catch {
    return 0
  }
}

const numberOf = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
