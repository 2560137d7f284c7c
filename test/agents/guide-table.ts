/** What was seen of every agent, as the guide shows it: a row a behaviour, a column an agent, and below it why not. */
import { type Seen, SOMETIMES } from './seen.ts'

const BEGIN = '<!-- seen: written by npm run agents:table -->'
const END = '<!-- /seen -->'

/** `order`: of the agents, and of the behaviours. */
export interface TableOrder {
  readonly agents: readonly string[]
  readonly behaviours: readonly string[]
}

export function guideTable(seen: Seen, { agents, behaviours }: TableOrder): string {
  const shown = agents.filter((name) => seen[name] !== undefined)
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const cell = (agent: string, behaviour: string): string => {
    const what = seen[agent]?.behaviours[behaviour]
    if (what === undefined) return 'not played'
    return what === 'yes' ? 'yes' : what.startsWith(SOMETIMES) ? '**sometimes**' : '**no**'
  }
  const reasons = shown.flatMap((agent) =>
    behaviours.flatMap((behaviour) => {
      const what = seen[agent]?.behaviours[behaviour] ?? 'yes'
      return what === 'yes' ? [] : [`- **${agent}**, ${behaviour}: ${what.replace(SOMETIMES, '')}.`]
    }),
  )
  return [
    line(['behaviour', ...shown.map((name) => `${name} ${seen[name]?.version}`)]),
    line(['behaviour', ...shown].map(() => '---')),
    ...behaviours.map((behaviour) => line([behaviour, ...shown.map((agent) => cell(agent, behaviour))])),
    ...(reasons.length === 0 ? [] : ['', 'Where it does not say yes:', '', ...reasons]),
  ].join('\n')
}

/** The guide, with this table in its place. */
export function withTable(guide: string, table: string): string {
  const [begin, end] = [guide.indexOf(BEGIN), guide.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error('The guide has no place for the table.')
  return `${guide.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${guide.slice(end)}`
}
