/** How soon an agent that sleeps is prompted with an answer. */
import { ASKING, answerToPrompt } from '../answer-to-prompt.ts'
import { compiled } from '../compiled.ts'
import type { Figure, Measurement } from '../figure.ts'
import { besideCommits } from '../raw-commits.ts'

const time = (name: 'p50' | 'p99'): Figure => ({
  id: `answer-to-prompt/${name}`,
  name,
  unit: 'ms',
  better: 'lower',
  yardstick: 'commits',
})

export const ANSWER_TO_PROMPT: Measurement = {
  title: 'answer to agent prompted',
  part: 'journal',
  limitSeconds: 60,
  figures: [time('p50'), time('p99')],
  measure: async () => {
    const { commits, gave } = await besideCommits(() => answerToPrompt(compiled('asking.yaml', ASKING)))
    // An answer is an append; another one tells of the agent's turn, with its prompt, before it begins.
    return [gave.p50, gave.p99].map((value) => ({
      value,
      speed: commits,
      says: `${gave.rounds} rounds`,
      base: { of: 'a raw commit', ratio: (value / 1000) * commits },
    }))
  },
}
