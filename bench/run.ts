/** What the core does in a second, and how that grows. Printed, never asserted: machines differ. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { readBeside } from '../src/cli/files.ts'
import type { Program } from '../src/model/program.ts'
import { rehearse } from '../src/rehearsal/rehearse.ts'
import { certify } from '../src/runbook/certificate.ts'
import { compileSource } from '../src/runbook/compile.ts'
import { ASKING, answerToPrompt } from './answer-to-prompt.ts'
import { durableRates } from './durable.ts'
import { inboxTimes } from './inbox.ts'
import { longRunbook } from './long-runbook.ts'
import { startUpMs, waitingRuns } from './waiting.ts'

const ROUNDS = 5

/** The best of a few rounds, in milliseconds: the others met somebody else on the machine. */
function best(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

function compiled(file: string, text: string): Program {
  const { program, diagnostics } = compileSource({ file, text }, readBeside)
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}

const print = (...cells: string[]) =>
  console.log(
    `${cells[0]!.padEnd(44)}${cells
      .slice(1)
      .map((cell) => cell.padStart(16))
      .join('')}`,
  )

// First, while the heap is as small as a host's.
// A million steps: each lap begins a new pass of the private bound.
const LOOP = `runbook: 1
name: loop
budgets: { laps: 1000 }
steps:
  tick:
    check: "true"
    options: { pass: { to: tick, max: 1000, then: lap }, fail: { to: abandoned, exit: [1] } }
  lap:
    check: "true"
    options: { pass: { to: tick, spend: laps, then: done }, fail: { to: abandoned, exit: [1] } }
`
const rates = await durableRates(compiled('loop.yaml', LOOP))
const perSecond = (rate: number) => Math.round(rate).toLocaleString('en')
print('durable steps', 'a second', 'of raw commits')
print('  raw commits, one row each', perSecond(rates.raw), '1.00×')
print(
  '  one run, step after step',
  perSecond(rates.sequential),
  `${(rates.sequential / rates.raw).toFixed(2)}×`,
)
print('  50 runs at once', perSecond(rates.atOnce), `${(rates.atOnce / rates.raw).toFixed(2)}×`)

// An answer is an append; then its agent's turn is told of, and its prompt kept, before the agent is.
const reached = await answerToPrompt(compiled('asking.yaml', ASKING))
const commits = (ms: number) => `${((ms / 1000) * rates.raw).toFixed(0)}×`
print(`\nanswer to agent prompted (${reached.rounds} rounds)`, 'ms', 'of a raw commit')
print('  p50', reached.p50.toFixed(1), commits(reached.p50))
print('  p99', reached.p99.toFixed(1), commits(reached.p99))

print('\ninbox', 'p50 ms', 'p99 ms', 'of 1,000 open')
let few = 0
for (const open of [1_000, 10_000]) {
  const { page, sequential, atOnce } = await inboxTimes(open)
  few ||= page.p50
  const size = open.toLocaleString('en')
  print(
    `  first page of ${size}`,
    page.p50.toFixed(2),
    page.p99.toFixed(2),
    `${(page.p50 / few).toFixed(2)}×`,
  )
  if (open === 1_000) continue
  print('answers', 'a second', 'of raw commits')
  print('  one after the other', perSecond(sequential), `${(sequential / rates.raw).toFixed(2)}×`)
  print('  50 at once', perSecond(atOnce), `${(atOnce / rates.raw).toFixed(2)}×`)
}

print('\ncheck (compile and certify)', 'ms', 'of 25 steps')
let base = 0
for (const steps of [25, 50, 100, 200]) {
  const text = longRunbook(steps)
  // A fresh compilation each time: what is known of a program is kept with it.
  const took = best(() => certify(compiled('long.yaml', text)))
  base ||= took
  print(`  ${steps} steps`, took.toFixed(0), `${(took / base).toFixed(1)}×`)
}

print('\nrehearse', 'states', 'states a second', 'moves a second')
for (const file of [
  'examples/04-review-loop.yaml',
  'examples/06-rework-budget.yaml',
  'examples/08-flow-in-flow.yaml',
]) {
  const program = compiled(file, readFileSync(file, 'utf8'))
  const rehearsal = rehearse(program, { mostStates: 1_000_000 })
  const took = best(() => rehearse(program, { mostStates: 1_000_000 })) / 1000
  const rate = (count: number) => Math.round(count / took).toLocaleString('en')
  print(
    `  ${file}`,
    rehearsal.states.length.toLocaleString('en'),
    rate(rehearsal.states.length),
    rate(rehearsal.moves.to.length),
  )
}

const ASK = `runbook: 1
name: ask
steps:
  ship:
    decide: Ship it?
    options: { yes: done, no: abandoned }
    deadline: { remind: 2h, expire: 30d }
    on: { expired: abandoned }
`
const MANY = 10_000
const waiting = await waitingRuns(compiled('ask.yaml', ASK), MANY)
print(`\n${MANY.toLocaleString('en')} runs that wait`, '')
print('  host ready after (ms)', waiting.readyMs.toFixed(0))
print('  memory (MB)', waiting.rssMb.toFixed(0))
print('  CPU in three idle seconds (ms)', waiting.cpuMs.toFixed(0))

print('\nstart-up', 'ms', 'of node itself')
const bare = startUpMs(['--version'])
for (const args of [['--help'], ['ps']])
  print(
    `  signalbox ${args.join(' ')}`,
    startUpMs(args).toFixed(0),
    `${(startUpMs(args) / bare).toFixed(2)}×`,
  )
