import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

it('[W17] is free, nobody else’s, and found from any beginning', async () => {
  const first = await freePort(1, new Set())
  const server = createServer().listen({ port: first!, host: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const second = await freePort(1, new Set())
  expect(second).not.toBe(first)
  expect([first, second]).not.toContain(await freePort(1, new Set([second!])))
  expect(await freePort(4_294_967_295, new Set())).toBeGreaterThanOrEqual(20_000)
})
