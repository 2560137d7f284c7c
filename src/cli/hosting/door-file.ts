/** The file that says at which address browsers and agents reach the host. It is true only while the host answers at its socket. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

export interface DoorFile {
  readonly url: string
  readonly pid: number
}

/** Null where there is none, or it says something else. */
export function readDoorFile(file: string): DoorFile | null {
  try {
    const door = JSON.parse(readFileSync(file, 'utf8')) as Partial<DoorFile>
    const { url, pid } = door
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : null
  } catch {
    return null
  }
}

/** Whole or not at all, and for the user's eyes only. */
export function writeDoorFile(
  file: string,
  door: DoorFile,
): { readonly written: true } | { readonly problem: string } {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(door), { mode: 0o600 })
    renameSync(draft, file)
    return { written: true }
  } catch (error) {
    rmSync(draft, { force: true })
    const why = error instanceof Error ? error.message : String(error)
    return { problem: `The host cannot say where it is: ${file} could not be written. ${why}` }
  }
}
