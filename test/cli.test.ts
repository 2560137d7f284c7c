/** The command as it is built, run as a process: what it prints, with which exit code, and that it never falls over. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt, openScratch, type Ran, shell, signalbox } from './command.fixture.ts'
import { FLOW, leavingChild, ODD_FILES, ODD_MODULES } from './odd-inputs.fixture.ts'

const scratch = openScratch()
beforeAll(ensureBuilt, 120_000)
afterAll(scratch.close)

const HELLO = 'examples/01-hello.yaml'
const GATE = 'examples/02-gate.yaml'
const DECISION = 'examples/03-decision.yaml'
const TABLE = 'examples/05-triage.yaml'
const LOOP = 'examples/04-review-loop.yaml'
const yamls = readdirSync('examples').flatMap((name) => (name.endsWith('.yaml') ? [`examples/${name}`] : []))
const runsAsRoot = process.getuid?.() === 0

const diagnosticsIn = ({ out }: Ran): string[] =>
  out.split('\n').filter((line) => /\b(error|warning)\[[a-z0-9-]+\]/.test(line))

/** Whatever happened, a person is told in sentences. */
function expectNoCrash({ out, err }: Ran): void {
  for (const text of [out, err]) {
    expect(text).not.toMatch(/^\s+at /m)
    expect(text).not.toMatch(/\bat (async )?(file:|[\w.<>]+ \()/)
    expect(text).not.toContain('node:internal')
    expect(text).not.toContain('Node.js v')
  }
}

/** Every cell begins or ends under the head of its column. */
function expectAligned(table: readonly string[]): void {
  const cells = (line: string) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => [index, index + text.length] as const)
  const [head = '', ...rows] = table
  const heads = cells(head)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows)
    for (const [start, end] of cells(row))
      expect(
        heads.some((one) => one[0] === start || one[1] === end),
        row,
      ).toBe(true)
}

const tablesIn = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n\n')
    .map((block) => block.split('\n'))
    .filter(([head]) => head?.startsWith('  step '))

describe('signalbox check', () => {
  it('[C1] [C6] certifies every example, in columns, without colours', async () => {
    const ran = await signalbox('check', ...yamls)
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).not.toContain('\u001B')
    for (const file of yamls) expect(ran.out).toMatch(new RegExp(`^✓ \\S+ {2}${file}$`, 'm'))
    const tables = tablesIn(ran.out)
    expect(tables).toHaveLength(yamls.length)
    for (const table of tables) expectAligned(table)
    const facts = ran.out
      .split('\n')
      .filter((line) => /^ {2}(proved|worst case|no faults|ends|budgets|program) /.test(line))
    expect(facts).toHaveLength(6 * yamls.length)
    for (const line of facts) expect(line).toMatch(/^ {2}\S.{11}\S/)
  })

  it('[C1] --matrix prints a row for every outcome, fault and choice of a person', async () => {
    const { code, out } = await signalbox('check', LOOP, '--matrix')
    expect(code).toBe(0)
    const [, matrix = []] = tablesIn(out)
    expectAligned(matrix)
    const [{ certificate }] = JSON.parse((await signalbox('check', LOOP, '--json')).out)
    expect(matrix.length - 1).toBe(certificate.matrix.length)
    expect(out).toMatch(/reject +answer +develop \(max 3\), then sign_off +step$/m)
    expect(out).toMatch(/@stop +person +abandoned +built in$/m)
  })

  it('--mermaid prints a chart of the written routes, and nothing else', async () => {
    const { code, out } = await signalbox('check', LOOP, '--mermaid')
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toBe('flowchart TD')
    for (const name of ['develop', 'review', 'sign_off', 'end_done']) expect(out).toContain(name)
    expect(out).not.toContain('proved')
  })

  it('--json prints what a program can read', async () => {
    const { code, out } = await signalbox('check', HELLO, LOOP, '--json')
    expect(code).toBe(0)
    const all = JSON.parse(out)
    expect(all.map(({ file }: { file: string }) => file)).toEqual([HELLO, LOOP])
    for (const one of all) {
      expect(Object.keys(one)).toEqual(['file', 'ok', 'diagnostics', 'certificate'])
      expect(one).toMatchObject({ ok: true, diagnostics: [] })
      expect(one.certificate).toMatchObject({
        exact: true,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        worst: { visits: expect.any(Number), dispatches: expect.any(Number), questions: expect.any(Number) },
        steps: expect.arrayContaining([
          expect.objectContaining({ step: expect.any(String), visits: expect.any(Number) }),
        ]),
        matrix: expect.arrayContaining([expect.objectContaining({ outcome: 'done', origin: 'step' })]),
      })
    }
  })

  it('[L2] of several files the good ones are certified and the bad one is told, each problem in one line', async () => {
    const bad = scratch.write(
      'bad.yaml',
      'runbook: 1\nsteps:\n  a: { agent: dev, next: b, promt: x }\n  c: { check: make }\n',
    )
    const ran = await signalbox('check', HELLO, bad, LOOP)
    expect(ran.code).toBe(1)
    expect(ran.out).toContain(`✓ hello  ${HELLO}`)
    expect(ran.out).toContain(`✓ review-loop  ${LOOP}`)
    const codes = diagnosticsIn(ran).flatMap((line) => line.match(/error\[([a-z-]+)\]/)?.slice(1) ?? [])
    expect(codes).toEqual(expect.arrayContaining(['unknown-target', 'unknown-key', 'missing-next']))
    for (const line of diagnosticsIn(ran)) expect(line).toMatch(/bad\.yaml:\d+:\d+ /)
    expect(ran.out).toMatch(/^✗ .*bad\.yaml: \d+ errors/m)
    const [, judged] = JSON.parse((await signalbox('check', HELLO, bad, '--json')).out)
    expect(judged).toMatchObject({ ok: false, certificate: null })
  })

  it('[L2] what a runbook and its file are called cannot move a cursor', async () => {
    const file = scratch.write(
      'odd\u001B[31m.yaml',
      'runbook: 1\nname: "a\\e[2Jb\\nc"\nagents: { dev: {} }\nsteps: { a: { agent: dev, next: done } }\n',
    )
    for (const ran of [await signalbox('check', file), await signalbox('rehearse', file)]) {
      expect(ran.code).toBe(0)
      expect(ran.out).not.toContain('\u001B')
      expect(ran.out.split('\n')[0]).toMatch(/^✓ a.*b.*c {2}/)
    }
  })
})

describe('what cannot be read', () => {
  it.each(ODD_FILES)('[L3] %s is one diagnostic', async (what, make, says) => {
    const file = scratch.path(`${what}.yaml`)
    make(file)
    const both = ['check', 'rehearse'].map((command) => signalbox(command, file))
    for (const ran of await Promise.all(both)) {
      expect(ran).toMatchObject({ code: 1, err: '' })
      expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(says)])
      expectNoCrash(ran)
    }
  })

  it.skipIf(runsAsRoot)('[L3] a file that may not be read is one diagnostic', async () => {
    const file = scratch.write('secret.yaml', 'runbook: 1\n')
    chmodSync(file, 0)
    const ran = await signalbox('check', file)
    expect(ran.code).toBe(1)
    expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(/unreadable.* may not be read by you/)])
  })

  it('[L3] a byte order mark changes nothing', async () => {
    const marked = scratch.write('marked.yaml', `\uFEFF${readFileSync(HELLO, 'utf8')}`)
    const { code, out } = await signalbox('check', marked, HELLO, '--json')
    expect(code).toBe(0)
    const [one, other] = JSON.parse(out)
    expect(one.certificate).toEqual(other.certificate)
  })

  it('[L7] a prompt and a flow that cannot be read are told where they are named', async () => {
    mkdirSync(scratch.path('prompt.md'))
    const file = scratch.write(
      'names.yaml',
      'runbook: 1\nagents: { dev: {} }\nsteps:\n  a: { agent: dev, prompt: prompt.md, next: b }\n  b: { flow: gone.yaml, options: { done: done } }\n',
    )
    const ran = await signalbox('check', file)
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/names\.yaml:4:\d+ error\[missing-file\].* prompt\.md is a folder/)
    expect(ran.out).toMatch(/names\.yaml:5:\d+ error\[missing-file\].* gone\.yaml does not exist/)
  })
})

describe('a TypeScript runbook', () => {
  it('[L1] compiles', async () => {
    const ran = await signalbox('check', 'examples/10-typed.ts')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('✓ typed')
  })

  it('[L3] may print what it likes', async () => {
    const file = scratch.write(
      'noisy.ts',
      `console.log('out'); console.error('err'); process.stdout.write('raw')\nexport default ${FLOW}\n`,
    )
    const { code, out } = await signalbox('check', file, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ ok: true, certificate: { runbook: 'x' } }])
  })

  it('[L3] may leave a timer running', async () => {
    const file = scratch.write('timer.ts', `setInterval(() => {}, 1000)\nexport default ${FLOW}\n`)
    expect(await signalbox('check', file)).toMatchObject({ code: 0 })
  })

  it.each(ODD_MODULES)('[L3] %s is one diagnostic', async (what, text, says) => {
    const ran = await signalbox('check', scratch.write(`${what}.ts`, text))
    expect(ran.code).toBe(1)
    expectNoCrash(ran)
    expect(diagnosticsIn(ran)).toEqual([expect.stringContaining('error[typescript]')])
    expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(says)])
  })

  it('[L3] a child that it leaves behind holds nobody up', async () => {
    const id = scratch.path('child.pid')
    const beganAt = performance.now()
    const ran = await signalbox('check', scratch.write('parent.ts', leavingChild(id)))
    const tookMs = performance.now() - beganAt
    await shell(`kill ${readFileSync(id, 'utf8')} 2>/dev/null`)
    expect(ran.out).toContain('could not be run: gone')
    expect(tookMs).toBeLessThan(12_000)
  })
})

describe('signalbox rehearse', () => {
  const json = async (...args: string[]) => JSON.parse((await signalbox(...args, '--json')).out)

  it.each([HELLO, GATE, 'examples/09-feature.hcl'])(
    '[T2] [T3] drives every path of %s and finds the certificate’s numbers',
    async (file) => {
      const ran = await signalbox('rehearse', file)
      expect(ran).toMatchObject({ code: 0, err: '' })
      expect(ran.out).toContain('all there are')
      expect(ran.out).toContain('the same numbers')
      const report = await json('rehearse', file)
      const [{ certificate }] = await json('check', file)
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

  it('[T2] --max-states says that it stopped, and claims nothing', async () => {
    const { code, out } = await signalbox('rehearse', LOOP, '--max-states', '10')
    expect(code).toBe(0)
    expect(out).toMatch(/rehearsed +1\d states.*; stopped there, --max-states goes on/)
    expect(out).not.toContain('the same numbers')
    expect(await json('rehearse', LOOP, '--max-states', '10')).toMatchObject({
      complete: false,
      disagreements: [],
    })
  })

  it.each([
    [GATE, 'done'],
    [GATE, 'lint'],
    [GATE, 'work:stalled'],
    [GATE, 'work:@stop'],
    [GATE, 'work'],
    [DECISION, 'expired_plan'],
    [DECISION, 'approve:revise'],
    [TABLE, 'triage:row-3'],
  ])('[T5] %s --path %s is a scenario that plays', async (file, target) => {
    const told = await signalbox('rehearse', file, '--path', target)
    expect(told).toMatchObject({ code: 0, err: '' })
    const played = await signalbox('rehearse', file, '--scenario', scratch.write('path.yaml', told.out))
    expect(played.out).toMatch(/^✓ /)
    expect(played.code).toBe(0)
  })

  it.each([
    ['dne', 'There is no step or end "dne". Did you mean "done"?'],
    ['wor:stalled', 'There is no step "wor". Did you mean "work"?'],
    ['work:stalld', 'There is no outcome of "work" "stalld". Did you mean "stalled"?'],
    ['xyzzy', 'There are work, lint, done, abandoned.'],
    ['constructor', 'There is no step or end "constructor".'],
    ['constructor:x', 'There is no step "constructor".'],
    ['work:toString', 'There is no outcome of "work" "toString".'],
  ])('[T5] [L4] --path %s is unknown', async (target, expected) => {
    const ran = await signalbox('rehearse', GATE, '--path', target)
    expectNoCrash(ran)
    expect(ran.code).toBe(1)
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
    expect(out).toMatch(/^✓ A rejected change .* {2}develop → review → develop → review → sign_off → done$/m)
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
    const ran = await signalbox('rehearse', LOOP, '--scenario', good, bad)
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/^✓ /m)
    expect(diagnosticsIn(ran)).toContainEqual(expect.stringMatching(expected))
    for (const line of diagnosticsIn(ran)) expect(line).toContain('scenario.yaml:')
    expectNoCrash(ran)
  })

  it('[T4] a scenario that cannot be read fails', async () => {
    const ran = await signalbox('rehearse', HELLO, '--scenario', scratch.path('nowhere.yaml'))
    expect(ran.code).toBe(1)
    expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(/error\[unreadable\].* does not exist/)])
  })
})

describe('signalbox', () => {
  it('[L12] schema prints the schema that is shipped', async () => {
    const { code, out } = await signalbox('schema')
    expect(code).toBe(0)
    const shipped = 'schema/runbook.schema.json'
    expect(JSON.parse(out)).toEqual(
      existsSync(shipped) ? JSON.parse(readFileSync(shipped, 'utf8')) : expect.any(Object),
    )
  })

  it('tells its version and its commands', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await signalbox('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
    const help = await signalbox('--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const command of ['check', 'rehearse', 'schema']) {
      expect(help.out).toMatch(new RegExp(`^ {2}${command} `, 'm'))
      expect(await signalbox(command, '--help')).toMatchObject({ code: 0, err: '' })
    }
  })

  it.each([
    ['no command', [], 'Usage: signalbox'],
    ['an unknown command', ['chekc', HELLO], 'Did you mean check?'],
    ['an unknown option', ['check', HELLO, '--matrx'], 'Did you mean --matrix?'],
    ['no file to check', ['check'], "missing required argument 'files'"],
    ['no file to rehearse', ['rehearse'], "missing required argument 'file'"],
    ['two files to rehearse', ['rehearse', HELLO, LOOP], 'too many arguments'],
    [
      'a number that is none',
      ['rehearse', HELLO, '--max-states', 'x'],
      '"x" is not a whole number above zero',
    ],
    ['a number below one', ['rehearse', HELLO, '--max-states', '0'], '"0" is not a whole number above zero'],
    ['an option without its value', ['rehearse', HELLO, '--path'], 'argument missing'],
  ])('%s is a mistake in the call: exit code 2', async (_what, args, expected) => {
    const ran = await signalbox(...args)
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain(expected)
    expectNoCrash(ran)
  })

  it('a reader that goes away is no crash', async () => {
    const { out, err } = await shell('{ bin/signalbox schema; echo "code $?" >&2; } | head -1')
    expect(out).toBe('{\n')
    expect(err).toBe('code 0\n')
  })

  it.skipIf(!existsSync('/dev/full'))('a disk that is full is not success', async () => {
    const ran = await shell(`bin/signalbox check ${HELLO} > /dev/full`)
    expect(ran.code).not.toBe(0)
    expectNoCrash(ran)
  })
})
