/** The secret under which this home signs people's tokens and links. Made once; whoever removes it revokes them all. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function openSecret(file: string): string {
  return readSecret(file) ?? makeSecret(file)
}

function readSecret(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text.length >= SHORTEST) return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  throw new Error(`${file} is cut short. Remove it: a new one is made, and people need new tokens.`)
}

const SHORTEST = 40

/** Whole or not at all; of two that make one at a time, both use the first. */
function makeSecret(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}
