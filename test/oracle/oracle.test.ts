/**
 * The second way of finding out what a runbook can do: an explorer without any reduction, which shares no move-making code
 * with the rehearsal, over small random runbooks. `ORACLE_SEED` and `ORACLE_RUNBOOKS` choose others, and more.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { judge } from './compare.ts'
import { REFUSALS_OF } from './refusals.ts'
import { playSample, type Sample } from './sample.ts'
import { shrink } from './shrink.ts'
import { compileWritten, type Written } from './write-runbook.ts'

const SEED = Number(process.env['ORACLE_SEED'] ?? 1)
const RUNBOOKS = Number(process.env['ORACLE_RUNBOOKS'] ?? 500)
const MOST_PLACES = 800

let sample: Sample
beforeAll(() => {
  sample = playSample(SEED, RUNBOOKS, MOST_PLACES)
  console.log(tableOf(sample))
}, 600_000)

describe('an explorer without reductions', () => {
  it('[T2] [T3] [C1] [C6] finds in every runbook what is certified of it and rehearsed, and nothing else', () => {
    const told = sample.failures.slice(0, 3).map(({ seed, written, differences }) => ({
      seed,
      smallest: smallest(written, differences[0]!),
      differences,
    }))
    expect(told).toEqual([])
    expect(sample.failures.length).toBe(0)
  })

  it('leaves out few runbooks', () => {
    expect(sample.tooLarge / (sample.played + sample.tooLarge)).toBeLessThan(0.15)
    expect(sample.notRight / sample.played).toBeLessThan(0.1)
  })

  it('meets every feature of the language that touches routing or counting', () => {
    expect([...sample.features].filter(([, times]) => times === 0)).toEqual([])
  })

  it('tries nothing that is refused everywhere, and is refused only for the right reason', () => {
    const { happened, refused } = sample
    for (const what of new Set([...happened.keys(), ...refused.keys(), ...Object.keys(REFUSALS_OF)])) {
      const codes = [...(refused.get(what)?.keys() ?? [])]
      const { always = false, reasons = [] } = REFUSALS_OF[what] ?? {}
      expect([what, codes.filter((code) => !reasons.includes(code))]).toEqual([what, []])
      expect([what, (happened.get(what) ?? 0) > 0]).toEqual([what, !always])
    }
  })

  it('shares nothing with what it judges but the engine', () => {
    const pages = readdirSync('test/oracle').filter(
      (name) => name !== 'compare.ts' && !name.endsWith('.test.ts'),
    )
    const shared = /\/src\/(rehearsal|model\/(combinations|subjects|route)|runbook)(\/(?!compile\.ts)|\.ts)/
    const imported = (name: string): string[] =>
      readFileSync(`test/oracle/${name}`, 'utf8').match(/^import (?!type\b)[^;]*?from '.*'$/gm) ?? []
    expect(pages.filter((name) => imported(name).some((line) => shared.test(line)))).toEqual([])
    // Who judges needs what is judged, and nothing that it is made with.
    const judged = imported('compare.ts').flatMap(
      (line) => /\/src\/(rehearsal|runbook)\/.*(?=')/.exec(line)?.[0] ?? [],
    )
    expect(judged).toEqual([
      '/src/rehearsal/rehearse.ts',
      '/src/rehearsal/report.ts',
      '/src/runbook/proof/certificate.ts',
    ])
  })
})

/** The same sentence must be untrue of it, whatever its numbers. */
function smallest(written: Written, difference: string): Written {
  const sentence = withoutNumbers(difference)
  return shrink(written, (smaller) => {
    const { program } = compileWritten(smaller)
    return program !== null && judge(program, 300).differences.map(withoutNumbers).includes(sentence)
  })
}

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, 'n')

function tableOf({ played, tooLarge, notRight, places, features }: Sample): string {
  return [
    `seed ${SEED}: ${played} runbooks played in ${places} places, ${tooLarge} too large, ${notRight} not right`,
    ...[...features].map(([name, times]) => `${`${times}`.padStart(5)}  ${name}`),
  ].join('\n')
}
