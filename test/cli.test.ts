/**
 * `signalbox check`, and the command as it is built: what it prints, with which exit code, and that it never falls over. Where that is not
 * a matter of processes it is called in this one.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsIn, expectNoCrash, openScratch, shell, signalbox } from './command.fixture.ts'
import { FLOW, leavingChild, ODD_FILES, ODD_MODULES } from './odd-inputs.fixture.ts'
import { checkHere, rehearseHere } from './read-only-commands.fixture.ts'

const scratch = openScratch()
afterAll(scratch.close)

const HELLO = 'examples/01-hello.yaml'
const LOOP = 'examples/04-review-loop.yaml'
const yamls = readdirSync('examples').flatMap((name) => (name.endsWith('.yaml') ? [`examples/${name}`] : []))
const runsAsRoot = process.getuid?.() === 0

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
    const { code, out } = await checkHere([LOOP], { matrix: true })
    expect(code).toBe(0)
    const [, matrix = []] = tablesIn(out)
    expectAligned(matrix)
    const [{ certificate }] = JSON.parse((await checkHere([LOOP], { json: true })).out)
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
    const ran = await checkHere([HELLO, bad, LOOP])
    expect(ran.code).toBe(1)
    expect(ran.out).toContain(`✓ hello  ${HELLO}`)
    expect(ran.out).toContain(`✓ review-loop  ${LOOP}`)
    const codes = diagnosticsIn(ran).flatMap((line) => line.match(/error\[([a-z-]+)\]/)?.slice(1) ?? [])
    expect(codes).toEqual(expect.arrayContaining(['unknown-target', 'unknown-key', 'missing-next']))
    for (const line of diagnosticsIn(ran)) expect(line).toMatch(/bad\.yaml:\d+:\d+ /)
    expect(ran.out).toMatch(/^✗ .*bad\.yaml: \d+ errors/m)
    const [, judged] = JSON.parse((await checkHere([HELLO, bad], { json: true })).out)
    expect(judged).toMatchObject({ ok: false, certificate: null })
  })

  it('[L2] what a runbook and its file are called cannot move a cursor', async () => {
    const file = scratch.write(
      'odd\u001B[31m.yaml',
      'runbook: 1\nname: "a\\e[2Jb\\nc"\nagents: { dev: {} }\nsteps: { a: { agent: dev, next: done } }\n',
    )
    for (const ran of [await checkHere([file]), await rehearseHere(file)]) {
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
    for (const ran of [await checkHere([file]), await rehearseHere(file)]) {
      expect(ran).toMatchObject({ code: 1, err: '' })
      expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(says)])
      expectNoCrash(ran)
    }
  })

  it.skipIf(runsAsRoot)('[L3] a file that may not be read is one diagnostic', async () => {
    const file = scratch.write('secret.yaml', 'runbook: 1\n')
    chmodSync(file, 0)
    const ran = await checkHere([file])
    expect(ran.code).toBe(1)
    expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(/unreadable.* may not be read by you/)])
  })

  it('[L3] a byte order mark changes nothing', async () => {
    const marked = scratch.write('marked.yaml', `\uFEFF${readFileSync(HELLO, 'utf8')}`)
    const { code, out } = await checkHere([marked, HELLO], { json: true })
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
    const ran = await checkHere([file])
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

  it('[L23] is refused without a sandbox, unless the user accepts that or a run calls', async () => {
    const file = scratch.write('held.ts', `export default ${FLOW}\n`)
    const place = mkdtempSync(scratch.path('config-'))
    const checked = (given: string) =>
      shell(
        `env PATH=/nowhere SIGNALBOX_CONFIG=${place} ${given} ${process.execPath} bin/signalbox check ${file}`,
      )
    const refused = await checked('')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.out).toContain('bubblewrap (bwrap) is not installed')
    expect(refused.out).toContain('sandbox: off')
    expect(await checked('SIGNALBOX_RUN=r1')).toMatchObject({ code: 0 })
    writeFileSync(join(place, 'config.yaml'), 'sandbox: off\n')
    expect(await checked('')).toMatchObject({ code: 0 })
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
    const ran = await checkHere([scratch.write(`${what}.ts`, text)])
    expect(ran.code).toBe(1)
    expectNoCrash(ran)
    expect(diagnosticsIn(ran)).toEqual([expect.stringContaining('error[typescript]')])
    expect(diagnosticsIn(ran)).toEqual([expect.stringMatching(says)])
  })

  it('[L3] a child that it leaves behind holds nobody up', async () => {
    const name = `left-by-${process.pid}`
    const beganAt = performance.now()
    const ran = await signalbox('check', scratch.write('parent.ts', leavingChild(name)))
    expect(ran.out).toContain('could not be run: gone')
    expect(performance.now() - beganAt).toBeLessThan(12_000)
    expect((await shell(`pgrep -f '${name}$'`)).out).toBe('')
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
