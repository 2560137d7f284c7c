/**
 * Messages nested so deep that whoever walks through them falls: in a call, in a request, in a word, in an answer, in the end of a
 * turn. A real host with a healthy run beside them; then it is killed, and meets one of them once more.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compileSource } from '../../src/runbook/compile.ts'
import { certify } from '../../src/runbook/proof/certificate.ts'
import { eventually } from '../host/run.fixture.ts'
import { eventsOf, flowOf, stage } from './own-program.fixture.ts'

const DEEP = {
  deep_call: `async ({ end }) => {
    await raw(call(deep(6000)))
    await end()
  }`,
  deep_request: `async ({ end }) => {
    await raw('{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","options":[],"toolCall":{"toolCallId":"t","rawInput":' + deep(6000) + '}}}')
    await end()
  }`,
  deep_words: `async ({ end }) => {
    for (const levels of [150, 199, 201, 900]) await raw(call(deep(levels)))
    await end()
  }`,
  deep_answer: `async ({ end }) => {
    await say('~~~json\\n{"decision":"good","why":' + deep(6000) + '}\\n~~~'.replaceAll('~', String.fromCharCode(96)))
    await end()
  }`,
  deep_end: `({ id }) => raw('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":{"stopReason":"end_turn","_meta":' + deep(6000) + '}}')`,
}

const DEEDS = {
  ...DEEP,
  // At every start of the host again.
  deep_and_stays: 'async () => { await raw(call(deep(6000))) }',
  healthy: `async ({ end }) => {
    while (!existsSync(launches + '.may-end')) await new Promise((done) => setTimeout(done, 20))
    await say('{"decision":"good"}')
    await end()
  }`,
}

const BEFORE = `
import { existsSync } from 'node:fs'
const deep = (levels) => '['.repeat(levels) + ']'.repeat(levels)
const call = (input) => '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","rawInput":' + input + '}}}'
`

it('[K6] bring nobody down: each is the fault of who said it, and is not launched more often than was certified', async ({
  task,
}) => {
  const staged = stage({ deeds: DEEDS, before: BEFORE })
  const first = staged.begin()
  const door = (await first.up)!
  expect(door, first.stderr()).not.toBeNull()
  const runs = new Map<string, string>()
  for (const name of Object.keys(DEEDS)) runs.set(name, await staged.start(door, name))
  const told = async (name: string, at = door) =>
    (await eventsOf(at, runs.get(name)!)).map(({ type }) => type)
  const launches = (name: string): number => readFileSync(staged.at(name), 'utf8').split('\n').length - 1

  for (const name of Object.keys(DEEP))
    await eventually(async () => (await told(name)).includes('run.ended')).toBe(true)
  for (const name of Object.keys(DEEP)) {
    expect([name, ...(await told(name))]).toContain('member.faulted')
    expect(launches(name), name).toBeLessThanOrEqual(certifiedDispatches(name))
  }
  for (const name of ['healthy', 'deep_and_stays']) {
    await eventually(async () => (await told(name)).includes('attempt.began')).toBe(true)
    expect(await told(name)).not.toContain('member.faulted')
  }
  expect(first.stderr()).toBe('')

  await first.kill()
  const second = staged.begin()
  const again = (await second.up)!
  expect(again, second.stderr()).not.toBeNull()
  await eventually(() => launches('deep_and_stays')).toBe(2)
  writeFileSync(`${staged.at('healthy')}.may-end`, '')
  await eventually(async () => (await told('healthy', again)).includes('run.ended')).toBe(true)
  expect(await eventsOf(again, runs.get('healthy')!)).toContainEqual(
    expect.objectContaining({ type: 'run.ended', data: expect.objectContaining({ end: 'done' }) }),
  )
  expect(second.stderr()).toBe('')
  task.meta.deeds = runs.size
})

function certifiedDispatches(name: string): number {
  const { program } = compileSource({ file: `${name}.yaml`, text: flowOf(name) }, () => ({
    kind: 'unreadable',
    why: 'it reads no file',
  }))
  return certify(program!).worst.dispatches
}
