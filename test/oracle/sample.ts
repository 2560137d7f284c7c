/** A sample of random runbooks, judged one by one, with what took part in it. */
import { judge } from './compare.ts'
import type { Witness } from './explore.ts'
import { WRITTEN } from './features.ts'
import { LIVED } from './features-of-runs.ts'
import { compileWritten, type Written, writeRunbook } from './write-runbook.ts'

export interface Sample {
  /** Runbooks that were seen whole. */
  readonly played: number
  readonly tooLarge: number
  readonly notRight: number
  readonly places: number
  readonly failures: readonly {
    readonly seed: number
    readonly written: Written
    readonly differences: readonly string[]
  }[]
  /** Feature → the runbooks that have it, or in which it took part. */
  readonly features: ReadonlyMap<string, number>
  /** What was tried → how often it happened, and how often it was refused with what. */
  readonly happened: ReadonlyMap<string, number>
  readonly refused: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const LIVED_FEATURES = Object.keys(LIVED).length

/** As many runbooks as are wanted, from the seed on. */
export function playSample(seed: number, wanted: number, mostPlaces: number): Sample {
  const failures: Sample['failures'][number][] = []
  const features = new Map([...Object.keys(WRITTEN), ...Object.keys(LIVED)].map((name) => [name, 0]))
  const happened = new Map<string, number>()
  const refused = new Map<string, Map<string, number>>()
  let [played, tooLarge, notRight, places] = [0, 0, 0, 0]
  for (let next = seed; played < wanted && next < seed + 2 * wanted; next++) {
    const written = writeRunbook(next)
    const { program } = compileWritten(written)
    if (program === null) {
      notRight++
      continue
    }
    const lived = new Set<string>()
    let unseen = Object.entries(LIVED)
    const witness: Witness = {
      happened: (action, events, before, history) => {
        count(happened, action.what)
        for (const [name, is] of unseen)
          if (events.some((event) => is(event, action, program, before, history))) lived.add(name)
        if (lived.size + unseen.length > LIVED_FEATURES) unseen = unseen.filter(([name]) => !lived.has(name))
      },
      refused: ({ what }, code) => {
        const codes = refused.get(what) ?? new Map<string, number>()
        refused.set(what, codes)
        count(codes, code)
      },
    }
    const judgement = judge(program, mostPlaces, witness)
    places += judgement.places
    if (judgement.tooLarge) {
      tooLarge++
      continue
    }
    played++
    const files = { ...written.files, '': written.value }
    for (const [name, has] of Object.entries(WRITTEN)) if (has(program, files)) count(features, name)
    for (const name of lived) count(features, name)
    if (judgement.differences.length > 0)
      failures.push({ seed: next, written, differences: judgement.differences })
  }
  return { played, tooLarge, notRight, places, failures, features, happened, refused }
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
