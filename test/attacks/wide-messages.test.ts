/**
 * Messages within every limit of length, of which a few fill a host's memory: millions of small values
 * in a call, in a request or in an answer. A real host, with no more memory than such messages would take if they were parsed or kept.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { eventually } from '../host/run.fixture.ts'
import { eventsOf, stage } from './own-program.fixture.ts'

const HEAP_MEGABYTES = 256

/** All at once, each in a run of its own. */
const DEEDS = {
  wide_calls: `async ({ end }) => {
    await times(40, (nth) => call('"toolCallId":"t' + nth + '","title":"x","status":"pending","rawInput":' + wide))
    await end()
  }`,
  wide_requests: `async ({ end }) => {
    await times(60, (nth) => ask(nth, '"title":"x","rawInput":' + wide))
    await end()
  }`,
  wide_answer: `async ({ id, end }) => {
    await raw('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":{"stopReason":"end_turn","_meta":' + wide + '}}')
    await end()
  }`,
}

const BEFORE = `
const wide = '[' + '{},'.repeat(2_600_000) + '{}]'
const call = (more) => raw('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call",' + more + '}}}')
const options = '[{"optionId":"a","name":"Allow","kind":"allow_once"},{"optionId":"b","name":"No","kind":"reject_once"}]'
const ask = (nth, more) => raw('{"jsonrpc":"2.0","id":"p' + nth + '","method":"session/request_permission","params":{"sessionId":"s","options":' + options + ',"toolCall":{"toolCallId":"t' + nth + '",' + more + '}}}')
`

it('[K6] fill nothing: each is the fault of who said it, and the host is there for everybody', async ({
  task,
}) => {
  const staged = stage({
    deeds: DEEDS,
    before: BEFORE,
    nodeWords: [`--max-old-space-size=${HEAP_MEGABYTES}`],
  })
  const host = staged.begin()
  const door = await host.up
  expect(door, host.stderr()).not.toBeNull()
  const detailOf = async (run: string): Promise<string | undefined> =>
    (await eventsOf(door!, run)).find(({ type }) => type === 'member.faulted')?.data.detail
  const runs = await Promise.all(Object.keys(DEEDS).map((name) => staged.start(door!, name)))
  await eventually(() => Promise.all(runs.map(detailOf))).toEqual(
    runs.map(() => expect.stringMatching(/more than 100000 values/)),
  )
  expect(peakMegabytes(host.pid)).toBeLessThan(3 * HEAP_MEGABYTES)
  task.meta.deeds = runs.length
})

const peakMegabytes = (pid: number): number => {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
