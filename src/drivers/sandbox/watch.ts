/**
 * Watches what all processes of a sandbox use together, which no limit of a single process bounds, and which for root is
 * bounded by none. It looks now and then, through the sandbox's own /proc, and takes a small share of our time.
 */
import { readdirSync, readFileSync } from 'node:fs'
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
  readonly onOver: (sentence: string) => void
}

/** Gives back what ends it. */
export function watch({ first, limits, onOver }: WatchedSandbox): () => void {
  const { processes, memoryBytes } = limits
  if (processes === null && memoryBytes === null) return () => {}
  const proc = `/proc/${first}/root/proc`
  let timer: NodeJS.Timeout | null = null
  let lookAt = performance.now() + LOOK_MS
  const step = () => {
    const begunAt = performance.now()
    const pids = pidsIn(proc)
    const isTooMany = processes !== null && pids.length > processes
    const isLook = begunAt >= lookAt && !isTooMany
    const use = isLook ? useOf(proc, pids) : { processes: pids.length, memoryBytes: 0 }
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
    return `It used more memory than it may (${inMegabytes(memoryBytes)} of ${inMegabytes(limits.memoryBytes)}).`
  if (limits.processes !== null && processes > limits.processes)
    return `It had more processes and threads than it may (${limits.processes}).`
  return null
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`

const pidsIn = (proc: string) => entriesOf(proc).filter((name) => /^\d+$/.test(name))

function useOf(proc: string, pids: readonly string[]): Use {
  let [processes, own, shared] = [0, 0, 0]
  for (const pid of pids) {
    const status = read(`${proc}/${pid}/status`)
    processes += numberOf(status, 'Threads')
    own += numberOf(status, 'RssAnon')
    // Several may hold the same: counted once, by whoever holds the most of it.
    shared = Math.max(shared, numberOf(status, 'RssShmem'))
  }
  return { processes, memoryBytes: (own + shared) * 1024 }
}

const numberOf = (status: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)

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
