/** The names one body or object has given so far. The first one stands; a second is reported and left out. */
import type { Position } from '../../model/diagnostic.ts'
import type { DiagnosticDraft } from '../report.ts'
import type { Problems } from './problems.ts'
import type { Attribute } from './syntax.ts'

export interface KnownNames {
  isNew(attribute: Attribute): boolean
}

export function createNames(problems: Problems): KnownNames {
  const lines = new Map<string, number>()
  return {
    isNew: ({ name, at }) => {
      const firstLine = lines.get(name)
      if (firstLine === undefined) lines.set(name, at.line)
      else problems.add(givenTwice({ name, at, path: '', firstLine }))
      return firstLine === undefined
    },
  }
}

interface Second {
  readonly name: string
  readonly at: Position
  readonly path: string
  readonly firstLine: number
}

export const givenTwice = ({ name, at, path, firstLine }: Second): DiagnosticDraft => ({
  code: 'duplicate-key',
  at,
  path,
  message: `\`${name}\` stands here a second time; the first is on line ${firstLine}.`,
  help: 'Keep one of them.',
})
