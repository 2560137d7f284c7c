/** The trigger bench, with a scripted agent: what it says of each kind of behaviour. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CASES } from '../bench/trigger/cases.ts'
import { type Result, reportText, SCRIPTED_NOTICE, verdictOf } from '../bench/trigger/report.ts'
import { type Manner, scriptFor } from '../bench/trigger/scripted.ts'
import { openStage } from '../bench/trigger/stage.ts'
import { bundledAgent, bundledBridge } from '../src/drivers/bundle.fixture.ts'
import { NO_KEEPS } from '../src/host/confinement/keeps/keeps.ts'

const [scriptedAgent, mcpBridge] = [bundledAgent(), bundledBridge()]

async function tryOut(manners: Readonly<Record<string, Manner>>): Promise<Result[]> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-script-'))
  const script = join(dir, 'script.json')
  writeFileSync(script, JSON.stringify(scriptFor(CASES, (id) => manners[id] ?? 'as it should')))
  const stage = await openStage({
    program: {
      name: 'scripted',
      driver: 'scripted',
      argv: ['--script', script],
      prompt: 'stdin',
      env: {},
      keeps: NO_KEEPS,
      permissions: 'reject',
      install: '',
    },
    scriptedAgent,
    mcpBridge,
    engine: null,
    environment: { PATH: process.env['PATH'] ?? '', HOME: dir },
    timeLimitMs: 60_000,
  })
  onTestFinished(async () => {
    await stage.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const cases = CASES.filter(({ id }) => Object.hasOwn(manners, id))
  return Promise.all(cases.map(async (one) => ({ case: one, tried: await stage.try(one) })))
}

describe('the trigger bench', () => {
  it('has cases of both kinds, and none of them tells the agent to ask', () => {
    expect(CASES.filter(({ ask }) => ask).length).toBeGreaterThanOrEqual(6)
    expect(CASES.filter(({ ask }) => !ask).length).toBeGreaterThanOrEqual(6)
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length)
    for (const { task } of CASES) expect(task).not.toMatch(/\b(?:ask|decision|create_decision|clarify)\b/i)
  })

  it('[Q22] tells caught from missed, over-asked from quiet, and own words from dictated ones', async () => {
    const results = await tryOut({
      'missing-rate': 'as it should',
      'drop-column': 'never asks',
      licence: 'parrot',
      'fix-slug': 'asks',
      rename: 'as it should',
    })
    expect(Object.fromEntries(results.map((each) => [each.case.id, verdictOf(each)]))).toEqual({
      'missing-rate': 'caught',
      'drop-column': 'missed',
      licence: 'caught',
      'fix-slug': 'over-asked',
      rename: 'rightly quiet',
    })
    const text = reportText(results, { agent: 'scripted', scripted: true })
    for (const part of [
      'caught        2 of 3',
      'missed        1',
      'over-asked    1 of 2',
      'broken        0',
      'dictated      1 of 3',
    ])
      expect(text).toContain(part)
    expect(text).toContain(SCRIPTED_NOTICE)
    expect(reportText(results, { agent: 'x', scripted: false })).not.toContain(SCRIPTED_NOTICE)
  })
})
