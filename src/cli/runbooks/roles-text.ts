/** What each role may do, as a person reads it. */
import type { Role } from '../../model/certificate.ts'
import { table, visible } from '../terminal/terminal.ts'

const NOTHING_SAID = '·'

const TOLD: Readonly<Record<'writes' | 'network' | 'git' | 'judge', (role: Role) => string>> = {
  writes: ({ writes }) =>
    writes === null ? 'anything' : writes.length === 0 ? 'nothing' : writes.join(', '),
  network: ({ network }) => (typeof network === 'string' ? network : (network?.join(', ') ?? NOTHING_SAID)),
  git: ({ git }) => git ?? NOTHING_SAID,
  judge: ({ judge }) => judge ?? NOTHING_SAID,
}
const KEYS = Object.keys(TOLD) as (keyof typeof TOLD)[]

/** Of what is said of somebody, and nothing where nothing is. */
export function rolesText(roles: readonly Role[]): string[] {
  const said = KEYS.filter((key) => roles.some((role) => role[key] !== null))
  if (said.length === 0) return []
  return [
    '',
    table(
      ['role', ...said].map((head) => ({ head })),
      roles.map((role) => [role.agent, ...said.map((key) => visible(TOLD[key](role)))]),
    ),
  ]
}
