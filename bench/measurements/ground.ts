/** What a run's ground costs, beside git itself. */
import type { Figure, Measurement } from '../figure.ts'
import { groundCosts } from '../ground.ts'

const SIZES = [1_000, 10_000, 50_000]

const ratio = (id: string, name: string): Figure => ({
  id: `ground/${id}`,
  name,
  unit: '×',
  better: 'lower',
  yardstick: null,
})

export const GROUND: readonly Measurement[] = SIZES.map((files) => ({
  title: 'a run’s ground, beside git itself',
  part: 'ground',
  limitSeconds: 120,
  figures: [
    ratio(`make-${files}`, `made, ${files.toLocaleString('en')} files`),
    ratio(`step-${files}`, `a step’s work taken in, ${files.toLocaleString('en')} files`),
  ],
  measure: async () => {
    const { makeMs, worktreeMs, stepMs, statusMs } = await groundCosts(files)
    return [reading(makeMs, worktreeMs, 'git worktree add'), reading(stepMs, statusMs, 'git status')]
  },
}))

const reading = (ms: number, baseMs: number, of: string) => ({
  value: ms / baseMs,
  speed: null,
  says: `${Math.round(ms)} ms; ${of} ${Math.round(baseMs)} ms`,
  base: null,
})
