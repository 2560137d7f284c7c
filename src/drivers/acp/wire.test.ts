import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { openWire } from './wire.ts'

it('[K6] a message that is nested too deep is passed over like any line that is none, and the next is heard', async () => {
  const stdout = new PassThrough()
  const heard: unknown[] = []
  let noise = 0
  openWire({
    stdin: new PassThrough(),
    stdout,
    onMessage: () => {},
    onSessionUpdate: (params) => heard.push(params),
    onNoise: () => noise++,
  })
  const update = (rawInput: string): string =>
    `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","rawInput":${rawInput}}}}\n`
  stdout.write(update(`${'['.repeat(6_000)}${']'.repeat(6_000)}`))
  stdout.write(update('[[1]]'))
  await until(() => heard.length === 1, 'the second update')
  expect(noise).toBe(1)
})
