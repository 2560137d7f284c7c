import { PassThrough } from 'node:stream'
import type { AnyMessage } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { openWire } from './wire.ts'

function opened() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const heard: unknown[] = []
  const excess: string[] = []
  const noise = { lines: 0 }
  const { readable, writable } = openWire({
    stdin,
    stdout,
    onMessage: () => {},
    onSessionUpdate: (params) => heard.push(params),
    onNoise: () => noise.lines++,
    onExcess: (sentence) => excess.push(sentence),
  })
  const messages: AnyMessage[] = []
  const reading = (async () => {
    for await (const message of readable) messages.push(message)
  })()
  const told = (): string => String(stdin.read() ?? '')
  const writer = writable.getWriter()
  const ask = (id: number): Promise<void> => writer.write({ jsonrpc: '2.0', id, method: 'initialize' })
  const answer = (id: string): Promise<void> => writer.write({ jsonrpc: '2.0', id, result: {} })
  return { stdout, heard, excess, noise, messages, reading, told, ask, answer }
}

const deep = `${'['.repeat(6_000)}${']'.repeat(6_000)}`
const update = (rawInput: string): string =>
  `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","rawInput":${rawInput}}}}\n`

it('[K6] a message that is nested too deep is passed over like any line that is none, and the next is heard', async () => {
  const { stdout, heard, noise } = opened()
  stdout.write(update(deep))
  stdout.write(update('[[1]]'))
  await until(() => heard.length === 1, 'the second update')
  expect(noise.lines).toBe(1)
})

it('[K6] whoever waits for what is nested too deep hears that it came to nothing', async () => {
  const { stdout, messages, told, ask } = opened()
  await ask(1)
  expect(told()).toContain('initialize')
  stdout.write(`{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":${deep}}\n`)
  stdout.write(`{"jsonrpc":"2.0","id":1,"result":${deep}}\n`)
  await until(() => messages.length === 1, 'what is told to us')
  expect(messages).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'It is nested deeper than 200 levels.' } },
  ])
  expect(JSON.parse(told())).toMatchObject({ id: 7, error: { code: -32600 } })
})

it('[K6] a message without an end fills no memory, and ends what is heard with a sentence', async () => {
  const { stdout, heard, excess, reading } = opened()
  stdout.write(update('1'))
  for (let nth = 0; nth < 9; nth++) stdout.write('x'.repeat(1024 * 1024))
  stdout.write(`\n${update('2')}`)
  await reading
  expect(excess).toEqual(['It sent a message of more than 8 MiB, which nobody can read.'])
  expect(heard).toHaveLength(1)
})

it('[K6] requests that nobody could answer so fast end it with a sentence', async () => {
  const { stdout, messages, excess, reading } = opened()
  for (let id = 0; id < 200; id++)
    stdout.write(`{"jsonrpc":"2.0","id":${id},"method":"fs/read","params":{}}\n`)
  await reading
  expect(messages).toHaveLength(100)
  expect(excess).toEqual([expect.stringMatching(/^It made more than 100 requests/)])
})

it('[K6] whoever talks without a pause is made to wait, and nothing that it says is lost', async () => {
  const { stdout, heard } = opened()
  let pauses = 0
  stdout.on('pause', () => pauses++)
  for (let nth = 0; nth < 5_000; nth++) stdout.write(update(`${nth}`))
  await until(() => heard.length === 5_000, 'all of it')
  expect(pauses).toBeGreaterThan(0)
})

it('[K6] an answer that nobody waits for is passed over: an agent writes nothing on the host’s screen', async () => {
  const { stdout, messages, noise, reading, ask } = opened()
  await ask(1)
  const answer = (id: number | string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}\n`
  stdout.end(answer('nobody asked') + answer(1) + answer(1))
  await reading
  expect([messages, noise.lines]).toEqual([[{ jsonrpc: '2.0', id: 1, result: {} }], 2])
})

it('[K6] a message of more values than anybody means is the end of it, and nothing is made of it', async () => {
  const { stdout, heard, excess, reading } = opened()
  stdout.write(update(`[${'{},'.repeat(99_000)}{}]`))
  await until(() => heard.length === 1, 'one that is wide, and not too wide')
  stdout.write(update(`[${'{},'.repeat(100_000)}{}]`) + update('1'))
  await reading
  expect(excess).toEqual(['It sent a message made of more than 100000 values.'])
  expect(heard).toHaveLength(1)
})

it('[K6] a file of 1 MiB, before and after a change, is heard like anything else', async () => {
  const { stdout, heard, excess } = opened()
  const text = `  "name": "\\d+ [{,]}",\t// ü 😀\n`.repeat(1024 * 32).slice(0, 1024 * 1024)
  const change = { oldText: text, newText: text }
  stdout.write(update(JSON.stringify({ ...change, output: [text, change] })))
  await until(() => heard.length === 1, 'the change')
  expect([heard[0], excess]).toMatchObject([{ update: { rawInput: change } }, []])
})

it('[K6] requests that wait may say so much together, and those that were answered do not count', async () => {
  const { stdout, messages, excess, reading, answer } = opened()
  const request = (id: number | string): string =>
    `{"jsonrpc":"2.0","id":"${id}","method":"session/request_permission","params":"${'x'.repeat(5 * 1024 * 1024)}"}\n`
  for (let nth = 0; nth < 5; nth++) {
    stdout.write(request('again'))
    await until(() => messages.length === nth + 1, `request ${nth}`)
    await answer('again')
  }
  for (let nth = 0; nth < 4; nth++) stdout.write(request(nth))
  await reading
  expect(messages).toHaveLength(8)
  expect(excess).toEqual([expect.stringMatching(/^It made requests of more than 16 MiB without waiting/)])
})

it('[K6] whoever asks what is nested too deep and never hears is not answered for ever', async () => {
  const { stdout, excess, reading } = opened()
  for (let id = 0; id < 3_000; id++)
    stdout.write(`{"jsonrpc":"2.0","id":"${id}${'x'.repeat(1_000)}","method":"m","params":${deep}}\n`)
  await reading
  expect(excess).toEqual([expect.stringMatching(/^It made more than 100 requests/)])
})

it('[K6] whoever says much at once is made to wait as well', async () => {
  const { stdout, heard } = opened()
  let pauses = 0
  stdout.on('pause', () => pauses++)
  for (let nth = 0; nth < 3; nth++) stdout.write(update(`"${'x'.repeat(1024 * 1024)}"`))
  await until(() => heard.length === 3, 'all of it')
  expect(pauses).toBeGreaterThan(0)
})
