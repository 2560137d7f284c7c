/**
 * `npm run bench`: what the core and the journal do in a second, how that grows, and what became of it since the
 * figures in bench/figures.json were kept. Printed, never asserted: machines differ.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureApart, readingsOf } from './apart.ts'
import { compare } from './compare.ts'
import { idOf, type Measurement } from './figure.ts'
import { type Kept, type KeptReading, keptText, parseKept } from './kept.ts'
import { MEASUREMENTS } from './measurements/index.ts'
import { HEADING, legend, type Row, rowText } from './table.ts'

const FILE = 'bench/figures.json'

const { values, positionals } = parseArgs({
  options: { keep: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = MEASUREMENTS.filter((measurement) => isWanted(measurement, positionals))
if (chosen.length === 0)
  console.log(`Nothing is called that. There are: ${MEASUREMENTS.map(idOf).join(', ')}`)
else await measureAll(chosen)

/** Named by its part, or by a piece of a figure's id. */
function isWanted({ part, figures }: Measurement, words: readonly string[]): boolean {
  return (
    words.length === 0 || words.some((word) => word === part || figures.some(({ id }) => id.includes(word)))
  )
}

async function measureAll(measurements: readonly Measurement[]): Promise<void> {
  const kept = parseKept(existsSync(FILE) ? readFileSync(FILE, 'utf8') : null)
  const rows: Row[] = []
  const fresh = new Map<string, KeptReading>()
  console.log(HEADING)
  let title = ''
  for (const measurement of measurements) {
    if (measurement.title !== title) console.log(measurement.title)
    title = measurement.title
    const outcome = await measureApart(measurement)
    const readings = readingsOf(measurement, outcome)
    measurement.figures.forEach((figure, index) => {
      const reading = readings[index]!
      const row = { figure, reading, comparison: compare(figure, reading, kept.get(figure.id)) }
      console.log(rowText(row))
      rows.push(row)
      const { value, speed, says } = reading
      if (outcome.kind !== 'failed')
        fresh.set(figure.id, { value, speed, yardstick: figure.yardstick, says, ...today() })
    })
  }
  console.log(`\n${legend(rows)}`)
  if (values.keep) keep(kept, fresh)
}

function today(): Pick<KeptReading, 'date' | 'node'> {
  return { date: new Date().toISOString().slice(0, 10), node: process.version }
}

/** What was not measured now stays as it was; what is no longer measured at all goes. */
function keep(kept: Kept, fresh: Kept): void {
  const known = new Set(MEASUREMENTS.flatMap(({ figures }) => figures.map(({ id }) => id)))
  const all = [...kept, ...fresh].filter(([id]) => known.has(id))
  writeFileSync(FILE, keptText(new Map(all)))
  console.log(`Kept in ${FILE}: ${fresh.size} figures.`)
}
