/** The trace that a host kept of a run: what it must show, and a copy for the manual where one is wished. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Premises } from './real-host.fixture.ts'
import type { Stage } from './stage.fixture.ts'

interface Line {
  readonly wire: 'acp' | 'mcp'
  readonly direction: 'in' | 'out'
  readonly message: { readonly method?: string; readonly params?: unknown }
}

/** The agent raised it over MCP by itself, and the answer was its next prompt over ACP; no secret is in it. */
export function expectDecisionIn(trace: string, { picked }: { readonly picked: string }): void {
  const lines = trace
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const raised = lines.findIndex(
    ({ wire, direction, message }) =>
      wire === 'mcp' &&
      direction === 'in' &&
      message.method === 'tools/call' &&
      JSON.stringify(message.params).includes('"create_decision"'),
  )
  const told = lines.findLastIndex(
    ({ wire, direction, message }) =>
      wire === 'acp' && direction === 'out' && message.method === 'session/prompt',
  )
  expect(raised).toBeGreaterThan(0)
  expect(told).toBeGreaterThan(raised)
  expect(JSON.stringify(lines[told])).toContain(picked)
  expect(trace).not.toMatch(/Bearer [\w-]{20}/)
}

export const traceOf = ({ traces }: Premises, run: string): string =>
  readFileSync(join(traces, `${run}.jsonl`), 'utf8')

/** RECORD_TRACES=DIR keeps it there, with the places of this machine taken out. */
export function record(trace: string, { agent, ground }: Stage): void {
  const dir = process.env['RECORD_TRACES']
  if (dir === undefined) return
  mkdirSync(dir, { recursive: true })
  const node = dirname(dirname(process.execPath))
  const home = process.env['HOME'] ?? '/root'
  const text = trace
    .replaceAll(ground, '/tmp/signalbox')
    .replaceAll(process.cwd(), '/opt/signalbox')
    .replaceAll(node, '/usr')
    .replaceAll(`${home}/`, '/home/you/')
    .replaceAll(`(${userInfo().username})`, '(you)')
  writeFileSync(join(dir, `decision-${agent.name}.jsonl`), text)
}
