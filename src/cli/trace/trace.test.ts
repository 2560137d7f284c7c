import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../host/workspace/repository.fixture.ts'
import { openTrace, type Trace, type WireMessage } from './trace.ts'

const opened = (dir: string, variables: Readonly<Record<string, string>> = {}): Trace => {
  const trace = openTrace(dir, variables)
  if ('problem' in trace) throw new Error(trace.problem)
  return trace
}

const said = (message: unknown, more: Partial<WireMessage> = {}): WireMessage => ({
  run: 'r1',
  who: 'develop.0',
  wire: 'acp',
  direction: 'out',
  message,
  ...more,
})

const linesOf = (file: string): object[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a trace', () => {
  it('is one file for each run, a line for each message, for the eyes of the user', () => {
    const dir = join(temporaryFolder(), 'a/b')
    const trace = opened(dir)
    trace.write(said({ id: 1 }))
    trace.write(said({ id: 1, result: [] }, { wire: 'mcp', direction: 'in' }))
    trace.write(said({}, { run: '../../escape' }))
    trace.close()
    expect(statSync(dir).mode & 0o077).toBe(0)
    expect(readdirSync(dir).sort()).toEqual(['..-..-escape.jsonl', 'r1.jsonl'])
    const file = join(dir, 'r1.jsonl')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(linesOf(file)).toEqual([
      { at: expect.stringMatching(/^\d{4}-/), ...said({ id: 1 }) },
      { at: expect.any(String), ...said({ id: 1, result: [] }), wire: 'mcp', direction: 'in' },
    ])
  })

  it('[D11] goes on where an earlier host stopped, in the middle of a line too', () => {
    const dir = temporaryFolder()
    const file = join(dir, 'r1.jsonl')
    opened(dir).write(said({ life: 1 }))
    appendFileSync(file, '{"at":"2026-')
    chmodSync(file, 0o644)
    const second = opened(dir)
    second.write(said({ life: 2 }))
    second.write(said({ life: 3 }))
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect([lines[0], lines[2], lines[3]].map((line) => JSON.parse(line!).message)).toEqual([
      { life: 1 },
      { life: 2 },
      { life: 3 },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('keeps no secret of the environment, nor one that it is told of', () => {
    const dir = temporaryFolder()
    const trace = opened(dir, { MY_API_KEY: 'SECRET-one', HOME: '/home/me', DB_PASSWORD: 'SECRET-two' })
    trace.mask.hide('SECRET-three')
    trace.mask.hideVariables({ OTHER_TOKEN: 'SECRET-four', PLAIN: 'kept' })
    trace.write(said({ text: 'SECRET-one SECRET-two SECRET-three SECRET-four kept /home/me' }))
    const text = readFileSync(join(dir, 'r1.jsonl'), 'utf8')
    expect(text).not.toContain('SECRET')
    expect(text).toContain('*** *** *** *** kept /home/me')
  })

  it('leaves out what it cannot look through', () => {
    const dir = temporaryFolder()
    const round: Record<string, unknown> = { secret: 'SECRET' }
    round['again'] = round
    opened(dir).write(said(round))
    expect(linesOf(join(dir, 'r1.jsonl'))).toMatchObject([{ message: expect.stringContaining('left out') }])
  })

  it('never ends a run because it cannot be written', () => {
    const dir = join(temporaryFolder(), 'trace')
    const trace = opened(dir)
    rmSync(dir, { recursive: true })
    trace.write(said({}))
    mkdirSync(dir)
    trace.write(said({}))
    expect(readdirSync(dir)).toHaveLength(1)
    rmSync(dir, { recursive: true })
    trace.close()
  })

  it('is refused where there can be none', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    for (const place of [file, join(file, 'below')])
      expect(openTrace(place, {})).toEqual({ problem: expect.stringContaining(`cannot be kept in ${place}`) })
  })
})
