/** A scripted agent keeps its sessions with us: its sandbox must let it at them. */
import { mkdirSync } from 'node:fs'
import type { Home } from '../machine/home.ts'
import type { AgentProgram } from './agent-program.ts'

export function withOwnFolder(
  program: AgentProgram | null,
  { scripted }: Pick<Home, 'scripted'>,
): AgentProgram | null {
  if (program === null || program.driver !== 'scripted' || program.argv.includes('--state')) return program
  mkdirSync(scripted, { recursive: true, mode: 0o700 })
  return { ...program, argv: [...program.argv, '--state', scripted], writes: [scripted] }
}
