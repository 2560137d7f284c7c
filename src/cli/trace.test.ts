import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { openTrace } from './trace.ts'

describe('a trace', () => {
  it('is one file for each who speaks in a run, a line for each message', () => {
    const dir = join(temporaryFolder(), 'a/b')
    const trace = openTrace(dir)
    trace('r1', 'develop dev#1', 'out', { id: 1 })
    trace('r1', 'develop dev#1', 'in', { id: 1, result: [] })
    trace('r1', '../../escape', 'in', {})
    expect(statSync(dir).mode & 0o077).toBe(0)
    expect(readdirSync(dir).sort()).toEqual(['r1-..-..-escape.jsonl', 'r1-develop-dev-1.jsonl'])
    const lines = readFileSync(join(dir, 'r1-develop-dev-1.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { run: 'r1', who: 'develop dev#1', direction: 'out', message: { id: 1 } },
      { direction: 'in', message: { id: 1, result: [] } },
    ])
  })

  it('keeps no secrets', () => {
    const dir = temporaryFolder()
    openTrace(dir)('r1', 'dev', 'out', {
      apiKey: 'SECRET-1',
      headers: [
        { name: 'Authorization', value: 'Bearer SECRET-2' },
        { name: 'Accept', value: 'kept' },
      ],
      env: [{ name: 'SIGNALBOX_TOKEN', value: 'SECRET-3' }],
      deep: { password: 'SECRET-4', 'x-api-key': 'SECRET-5', client_secret: 'SECRET-6' },
      usage: { tokens: 12 },
    })
    const [file] = readdirSync(dir)
    const text = readFileSync(join(dir, file!), 'utf8')
    expect(text).not.toContain('SECRET')
    expect(text).toContain('kept')
    expect(text).toContain('"tokens":12')
  })

  it('never ends a run because it cannot be written', () => {
    const dir = join(temporaryFolder(), 'trace')
    const trace = openTrace(dir)
    rmSync(dir, { recursive: true })
    trace('r1', 'dev', 'in', {})
    mkdirSync(dir)
    trace('r1', 'dev', 'in', {})
    expect(readdirSync(dir)).toHaveLength(1)
  })
})
