/** Every example is proved, rehearsed through every path, and its scenarios play. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileFile } from '../src/cli/runbooks/sources.ts'
import { rehearse } from '../src/rehearsal/rehearse.ts'
import { reportOf } from '../src/rehearsal/report.ts'
import { playScenarios } from '../src/rehearsal/scenario.ts'
import { certify } from '../src/runbook/proof/certificate.ts'

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

  it('the routing matrix has a scenario for each of its forty-six rows', async () => {
    const { program } = await compileFile('examples/11-routing-matrix.yaml')
    const file = 'examples/scenarios/11-routing-matrix.yaml'
    const played = playScenarios(program!, readFileSync(file, 'utf8'), file)
    expect(played.map(({ name }) => Number.parseInt(name, 10))).toEqual(
      Array.from({ length: 46 }, (_, index) => index + 1),
    )
  })

  it('no check of theirs only echoes', async () => {
    for (const name of examples) {
      const { program } = await compileFile(`examples/${name}`)
      for (const step of Object.values(program!.steps))
        if (step.kind === 'check') expect(step.run[0]).not.toMatch(/^\s*(?:echo\b|true$|:|exit\b)/)
    }
  })

  it.each(readdirSync('examples/scenarios'))('the scenarios of %s play', async (name) => {
    const example = examples.find((one) => one.startsWith(name.slice(0, 2)))
    const { program } = await compileFile(`examples/${example}`)
    const played = playScenarios(program!, readFileSync(`examples/scenarios/${name}`, 'utf8'), name)
    expect(played.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
    expect(played.every(({ passed }) => passed)).toBe(true)
  })
})
