/** `signalbox rehearse`: every path, one path, or a scripted one. */
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsIn, expectNoCrash, openScratch, run, signalbox } from './command.fixture.ts'
import { checkHere, rehearseHere } from './read-only-commands.fixture.ts'

const scratch = openScratch()
afterAll(scratch.close)

const HELLO = 'examples/01-hello.yaml'
const GATE = 'examples/02-gate.yaml'
const DECISION = 'examples/03-decision.yaml'
const TABLE = 'examples/05-triage.yaml'
const LOOP = 'examples/04-review-loop.yaml'

describe('signalbox rehearse', () => {
  const rehearsed = async (file: string) => JSON.parse((await rehearseHere(file, { json: true })).out)

  it.each([HELLO, GATE, 'examples/09-feature.hcl'])(
    '[T2] [T3] drives every path of %s and finds the certificate’s numbers',
    async (file) => {
      const ran = await rehearseHere(file)
      expect(ran).toMatchObject({ code: 0, err: '' })
      expect(ran.out).toContain('all there are')
      expect(ran.out).toContain('the same numbers')
      const report = await rehearsed(file)
      const [{ certificate }] = JSON.parse((await checkHere([file], { json: true })).out)
      expect(report).toMatchObject({
        complete: true,
        problems: [],
        disagreements: [],
        routes: { missed: [] },
      })
      expect(report.worst).toEqual(certificate.worst)
      expect(report.visits).toEqual(
        Object.fromEntries(
          certificate.steps.map(({ step, visits }: { step: string; visits: number }) => [step, visits]),
        ),
      )
      expect(new Set(report.ends.map(({ end }: { end: string }) => end))).toEqual(new Set(certificate.ends))
    },
  )

  it('[T6] --max-states says what was not walked, claims nothing, and is no success', async () => {
    const { code, out } = await signalbox('rehearse', LOOP, '--max-states', '10')
    expect(code).toBe(1)
    expect(out).not.toContain('✓')
    expect(out).toMatch(/incomplete +\d+ states were met and not gone on from: allow more with --max-states/)
    expect(out).toMatch(/routes +\d+ of \d+ taken; not walked: /)
    expect(out).not.toContain('the same numbers')
    const { out: report } = await signalbox('rehearse', LOOP, '--max-states', '10', '--json')
    expect(JSON.parse(report)).toMatchObject({ complete: false, disagreements: [] })
  })

  it('[T6] stops with a sentence before memory is used up', async () => {
    const file = scratch.write(
      'vast.yaml',
      `runbook: 1
agents: { dev: { questions: 20, nudges: 10 } }
budgets: { interventions: 20, laps: 9 }
steps:
  a: { agent: dev, gate: { run: make, max: 20, expect: none }, options: { on: b, back: { to: a, max: 9, then: b } } }
  b: { agent: dev, gate: { run: make, max: 20, expect: none }, options: { on: done, back: { to: a, spend: laps, then: done } } }
`,
    )
    const small = ['--max-old-space-size=60', '--max-semi-space-size=4', 'dist/cli/main.js']
    const ran = await run(process.execPath, [...small, 'rehearse', file])
    expectNoCrash(ran)
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/incomplete +[\d,]+ states were met and not gone on from: the memory is used up/)
    expect(ran.out).not.toContain('✓')
  })

  it.each([
    [GATE, 'done'],
    [GATE, 'lint'],
    [GATE, 'work:stalled'],
    [GATE, 'work:@stop'],
    [GATE, 'work'],
    [DECISION, 'expired_plan'],
    [DECISION, 'approve:revise'],
    [TABLE, 'triage:later'],
    ['examples/07-handoffs.yaml', 'discover:absent'],
  ])('[T5] %s --path %s is a scenario that plays', async (file, target) => {
    const told = await rehearseHere(file, { path: target })
    expect(told).toMatchObject({ code: 0, err: '' })
    const played = await rehearseHere(file, { scenario: [scratch.write('path.yaml', told.out)] })
    expect(played.out).toMatch(/^✓ /)
    expect(played.code).toBe(0)
  })

  it.each([
    ['dne', 'There is no step or end "dne". Did you mean "done"?'],
    ['wor:stalled', 'There is no step "wor". Did you mean "work"?'],
    ['work:stalld', 'There is no outcome of "work" "stalld". Did you mean "stalled"?'],
    ['xyzzy', 'There are setup, work.trial, work, lint, done, abandoned.'],
    ['constructor', 'There is no step or end "constructor".'],
    ['constructor:x', 'There is no step "constructor".'],
    ['work:toString', 'There is no outcome of "work" "toString".'],
  ])('[T5] [L4] --path %s is unknown', async (target, expected) => {
    const ran = await rehearseHere(GATE, { path: target })
    expectNoCrash(ran)
    expect(ran.code).toBe(2)
    expect(ran.out).toContain(expected)
  })

  it('[T4] plays the examples’ scenarios', async () => {
    const { code, out } = await signalbox(
      'rehearse',
      LOOP,
      '--scenario',
      'examples/scenarios/04-reject-then-ship.yaml',
    )
    expect(code).toBe(0)
    expect(out).toMatch(
      /^✓ A rejected change .* {2}develop.trial → develop → review → develop → review → sign_off → done$/m,
    )
  })

  it.each([
    [
      'the wrong step',
      'play:\n  - develop: done\n  - sign_off: ship\n',
      /:3:5 error\[scenario\] The run is at "review", not at "sign_off"/,
    ],
    [
      'what cannot happen',
      'play:\n  - develop: approve\n',
      /:2:5 error\[scenario\] "approve" cannot happen at "develop" now/,
    ],
    [
      'a wrong expectation',
      'play:\n  - develop: done\nexpect:\n  at: sign_off\n',
      /:4:7 error\[scenario\] Expected the run to be at sign_off, but it is review/,
    ],
    ['a key that is not known', 'play:\n  - develop: { fualt: failed }\n', /:2:16 error\[unknown-key\]/],
    ['a file that is not YAML', 'play: [\n', /:\d+:\d+ error\[yaml-syntax\]/],
    ['an empty file', '', /:1:1 error\[wrong-type\]/],
  ])('[T4] a scenario with %s fails with its line', async (_what, text, expected) => {
    const good = scratch.write('good.yaml', 'vars: { issue: X }\nplay:\n  - develop: done\n')
    const bad = scratch.write('scenario.yaml', text === '' ? '' : `${text}vars: { issue: X }\n`)
    const ran = await rehearseHere(LOOP, { scenario: [good, bad] })
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/^✓ /m)
    expect(diagnosticsIn(ran)).toContainEqual(expect.stringMatching(expected))
    for (const line of diagnosticsIn(ran)) expect(line).toContain('scenario.yaml:')
    expectNoCrash(ran)
  })

  it('[T4] a scenario that cannot be read fails', async () => {
    const ran = await rehearseHere(HELLO, { scenario: [scratch.path('nowhere.yaml')] })
    expect(ran.code).toBe(1)
    expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(/error\[unreadable\].* does not exist/)])
  })
})
