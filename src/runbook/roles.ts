/** What the agents of a program may do, as its certificate says it: only of those of which something was said. */
import type { Role } from '../model/certificate.ts'
import type { Program } from '../model/program.ts'
import { sourceText } from '../model/template.ts'

export function rolesOf({ agents }: Program): Role[] {
  return Object.entries(agents).flatMap(([agent, { writes, network = null, git = null, judge }]) =>
    writes === null && network === null && git === null && judge === undefined
      ? []
      : [
          {
            agent,
            writes: writes?.map((grant) => (typeof grant === 'string' ? grant : sourceText(grant))) ?? null,
            network,
            git,
            judge: judge === undefined ? null : sourceText(judge),
          },
        ],
  )
}
