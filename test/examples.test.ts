/** Every example is proved, rehearsed through every path, and its scenarios play. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileFile } from '../src/cli/sources.ts'
import { rehearse } from '../src/rehearsal/rehearse.ts'
import { reportOf } from '../src/rehearsal/report.ts'
import { playScenario } from '../src/rehearsal/scenario.ts'
import { certify } from '../src/runbook/certificate.ts'

const examples = readdirSync('examples').filter((name) => /^\d\d-.*\.(yaml|hcl|ts)$/.test(name))

describe('examples', () => {
  it('there are at least six, numbered', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6)
  })

  it.each(examples)('%s is certified exactly, and the rehearsal of every path agrees', async (name) => {
    const { program, diagnostics } = await compileFile(`examples/${name}`)
    expect(diagnostics).toEqual([])
    const certificate = certify(program!)
    expect(certificate.exact).toBe(true)
    const report = reportOf(rehearse(program!, { mostStates: 200_000 }), certificate)
    expect(report).toMatchObject({ complete: true, problems: [], disagreements: [], routes: { missed: [] } })
  })

  it.each(readdirSync('examples/scenarios'))('scenario %s plays', async (name) => {
    const example = examples.find((one) => one.startsWith(name.slice(0, 2)))
    const { program } = await compileFile(`examples/${example}`)
    const played = playScenario(program!, readFileSync(`examples/scenarios/${name}`, 'utf8'), name)
    expect(played.diagnostics).toEqual([])
    expect(played.passed).toBe(true)
  })
})
