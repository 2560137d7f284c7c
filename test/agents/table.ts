/** What was seen, as a table: a row a behaviour, a column an agent. */

export interface Cell {
  readonly agent: string
  readonly behaviour: string
  readonly verdict: 'yes' | 'no'
  /** Why not. */
  readonly reason: string
  readonly tookMs: number
}

/** `order`: of the behaviours, which end as they will. */
export function tableText(order: readonly string[], cells: readonly Cell[]): string {
  const agents = [...new Set(cells.map(({ agent }) => agent))].sort()
  const behaviours = order.filter((name) => cells.some(({ behaviour }) => behaviour === name))
  const width = Math.max(...behaviours.map((name) => name.length), 0)
  const line = (name: string, words: readonly string[]): string =>
    `${name.padEnd(width)}  ${words.map((word) => word.padEnd(10)).join('')}`.trimEnd()
  const rows = behaviours.map((behaviour) =>
    line(
      behaviour,
      agents.map((agent) => {
        const cell = cells.find((each) => each.agent === agent && each.behaviour === behaviour)
        return cell === undefined ? '' : `${cell.verdict} ${(cell.tookMs / 1000).toFixed(1)}s`
      }),
    ),
  )
  const reasons = cells.flatMap(({ agent, behaviour, verdict, reason }) =>
    verdict === 'no' ? [`no: ${agent}, ${behaviour}: ${reason}`] : [],
  )
  return [line('', agents), ...rows, ...reasons].join('\n')
}
