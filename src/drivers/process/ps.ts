/** Where there is no /proc, `ps` tells about processes. */
import { execFile, spawnSync } from 'node:child_process'
import type { Process } from './identity.ts'

const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,ucomm='
// The start time comes as words: the same words only in the same language and time zone.
const OPTIONS = {
  env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  encoding: 'utf8',
  timeout: 10_000,
} as const

export function readPs(): Promise<Process[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-axo', COLUMNS], { ...OPTIONS, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
      resolve(parsePs(stdout)),
    )
  })
}

export function readOnePs(pid: number): Process | null {
  const { stdout } = spawnSync('ps', ['-o', COLUMNS, '-p', String(pid)], OPTIONS)
  return parsePs(stdout ?? '')[0] ?? null
}

const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*?)\s*$/

export function parsePs(text: string): Process[] {
  const found: Process[] = []
  for (const line of text.split('\n')) {
    const [, pid, parent, group, state = 'Z', startTime = '', name = ''] = LINE.exec(line) ?? []
    if (state.startsWith('Z')) continue
    found.push({
      pid: Number(pid),
      startTime: startTime.replaceAll(/\s+/g, ' '),
      name,
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
    })
  }
  return found
}
