/**
 * A reading against the kept one. All ratios point one way: 2 is twice as good, 0.5 half as good, whether more or
 * less is better. The normalised ratio is corrected by how fast the machine was at the figure's yardstick.
 */
import type { Figure, Reading } from './figure.ts'
import type { KeptReading } from './kept.ts'
import { valueText } from './value-text.ts'

export interface Comparison {
  /** Null where there are not two values to compare. */
  readonly normalised: number | null
  readonly raw: number | null
  readonly fell: boolean
  /** What a reader must not miss, in words. */
  readonly mark: string
}

const A_QUARTER_LESS = 0.75

export function compare(figure: Figure, now: Reading, kept: KeptReading | undefined): Comparison {
  if (kept === undefined) return { normalised: null, raw: null, fell: false, mark: 'new' }
  const raw = rawRatio(figure, now.value, kept.value)
  const normalised = raw === null ? null : raw / speedUp(figure, now, kept)
  const lost = now.value === null && kept.value !== null
  const fell = lost || (normalised !== null && normalised < A_QUARTER_LESS)
  return { normalised, raw, fell, mark: markOf(figure, { now, kept, normalised, fell }) }
}

function rawRatio({ better }: Figure, now: number | null, kept: number | null): number | null {
  if (now === null || kept === null || now <= 0 || kept <= 0) return null
  return better === 'higher' ? now / kept : kept / now
}

/** How much faster this machine is than the one of the kept figure; 1 where that is not known. */
function speedUp({ yardstick }: Figure, now: Reading, kept: KeptReading): number {
  if (yardstick !== kept.yardstick || now.speed === null || kept.speed === null) return 1
  return now.speed > 0 && kept.speed > 0 ? now.speed / kept.speed : 1
}

interface Outcome {
  readonly now: Reading
  readonly kept: KeptReading
  readonly normalised: number | null
  readonly fell: boolean
}

function markOf(figure: Figure, { now, kept, normalised, fell }: Outcome): string {
  const was = [kept.value === null ? '' : valueText(kept.value, figure.unit), kept.says]
    .filter((text) => text !== '')
    .join(', ')
  if (fell) return `FELL, was ${was}`
  if (normalised !== null && normalised > 1 / A_QUARTER_LESS) return `better, was ${was}`
  const changed = now.says !== kept.says || (now.value === null) !== (kept.value === null)
  return changed ? `was ${was}` : ''
}
