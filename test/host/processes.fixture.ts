/** What the machine really runs, by its own table: who works in a folder, or was started with something of it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        const here = words.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
        return here && !isDead(pid) ? [`${pid} ${words}`] : []
      } catch {
        // It ended while we looked.
        return []
      }
    })
}

const isDead = (pid: string): boolean => /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
