/** An inbox of a thousand open decisions, and of ten thousand. */
import { cpuSpeed } from '../cpu-speed.ts'
import type { Figure, Measurement } from '../figure.ts'
import { inboxTimes } from '../inbox.ts'
import { besideCommits } from '../raw-commits.ts'

const page = (open: number): Figure[] =>
  (['p50', 'p99'] as const).map((share) => ({
    id: `inbox/first-page-of-${open}/${share}`,
    name: `first page of ${open.toLocaleString('en')}, ${share}`,
    unit: 'ms',
    better: 'lower',
    yardstick: 'cpu',
  }))

const answers = (id: string, name: string): Figure => ({
  id: `inbox/answers-${id}`,
  name: `answers, ${name}`,
  unit: 'a second',
  better: 'higher',
  yardstick: 'commits',
})

export const INBOX: Measurement = {
  title: 'inbox',
  part: 'journal',
  limitSeconds: 60,
  figures: [
    ...page(1_000),
    ...page(10_000),
    answers('in-turn', 'one after the other'),
    answers('50-at-once', '50 at once'),
  ],
  measure: async () => {
    const cpu = cpuSpeed()
    const few = await inboxTimes(1_000)
    const { commits, gave: many } = await besideCommits(() => inboxTimes(10_000))
    const look = (value: number, ofFew: number) => ({
      value,
      speed: cpu,
      says: '',
      base: { of: '1,000 open', ratio: value / ofFew },
    })
    const rate = (value: number) => ({
      value,
      speed: commits,
      says: '',
      base: { of: 'raw commits', ratio: value / commits },
    })
    return [
      look(few.page.p50, few.page.p50),
      look(few.page.p99, few.page.p99),
      look(many.page.p50, few.page.p50),
      look(many.page.p99, few.page.p99),
      rate(many.sequential),
      rate(many.atOnce),
    ]
  },
}
