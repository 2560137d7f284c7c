import { describe, expect, it } from 'vitest'
import { compile } from '../engine/given.fixture.ts'
import type { CheckStep, Program } from '../model/program.ts'
import { targetText } from '../model/route.ts'
import { sourceText } from '../model/template.ts'
import { certify } from './proof/certificate.ts'

const programOf = (text: string, files: Record<string, string> = {}): Program => {
  const { program, diagnostics } = compile(text, files)
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}
const codesOf = (text: string, files: Record<string, string> = {}) =>
  compile(text, files).diagnostics.map(({ code, at }) => `${at.line} ${code}`)
const checkIn = (program: Program, name: string) => program.steps[name] as CheckStep
const leadsTo = (program: Program, name: string, outcome: string) =>
  targetText(program.steps[name]!.routes[outcome]!.arms[0]!.to)

describe('setup', () => {
  it('[C11] is the first step, its faults routed as it says, else as the flow says', () => {
    const program = programOf(`
setup: { run: npm ci, needs: [package-lock.json], time: 5m, on: { failed: abandoned } }
on: { timed_out: { to: retry, max: 1, then: ask } }
steps: { look: { check: make, next: done } }
`)
    expect([program.start, program.entry, program.setup]).toEqual([
      'setup',
      'look',
      { needs: ['package-lock.json'] },
    ])
    expect(checkIn(program, 'setup')).toMatchObject({ exits: { done: [0] }, timeLimitMs: 300_000 })
    expect(['done', 'failed', 'timed_out'].map((outcome) => leadsTo(program, 'setup', outcome))).toEqual([
      'look',
      'abandoned',
      'setup',
    ])
    expect(certify(program).steps[0]).toMatchObject({ step: 'setup', kind: 'check', visits: 5 })
  })

  it('[C11] of several commands ends with the first that fails, and quotes each look-up', () => {
    const { run } = checkIn(
      programOf(
        'vars: { x: 1 }\nsetup: { run: [npm ci, "echo ${var.x}"] }\nsteps: { a: { check: make, next: done } }',
      ),
      'setup',
    )
    expect(sourceText(run)).toBe('{ npm ci\n} || exit $?\n{ echo ${var.x}\n} || exit $?')
  })

  it('[L6] of several commands knows the quotes that one of them leaves open', () => {
    const { run } = checkIn(
      programOf(
        'vars: { x: 1 }\nsetup: { run: [\'echo "\', "echo ${var.x}"] }\nsteps: { a: { check: make, next: done } }',
      ),
      'setup',
    )
    expect(run.find((part) => typeof part === 'object')).toMatchObject({ quote: 'double' })
  })

  it('[L20] of several commands none is empty', () => {
    const setup = (run: string) => `setup: { run: ${run} }\nsteps: { a: { check: make, next: done } }`
    expect(codesOf(setup('[npm ci, "", " "]')).map((line) => line.slice(2))).toEqual([
      'bad-command',
      'bad-command',
    ])
    expect(codesOf(setup('[npm ci, "true"]'))).toEqual([])
  })

  it.each([
    ['""', ['bad-pattern']],
    ['" "', ['bad-pattern']],
    ['/etc/hosts', ['bad-pattern']],
    ['"C:/lock"', ['bad-pattern']],
    ['../x', ['bad-pattern']],
    ['a/../../x', ['bad-pattern']],
    ['"packages/*/package.json"', []],
    ['a..b', []],
  ])('[C11] needs files of its worktree, so %s gives %j', (glob, codes) => {
    const flow = `setup: { run: npm ci, needs: [${glob}] }\nsteps: { a: { check: make, next: done } }`
    expect(codesOf(flow).map((line) => line.slice(2))).toEqual(codes)
  })

  it('[L4] takes the name "setup" from steps and ends', () => {
    expect(
      codesOf(
        'setup: make\nsteps:\n  setup: { check: make, next: setups }\n  setups: { check: make, next: done }',
      ),
    ).toContain('4 reserved-name')
    expect(codesOf('setup: make\nsteps: { a: { check: make, next: setup } }\nends: { setup: x }')).toContain(
      '4 reserved-name',
    )
    expect(codesOf('steps: { setup: { check: make, next: done } }')).toEqual([])
  })
})

describe('the trial of a gate', () => {
  const gated = (gate: string, more = '') =>
    `agents: { dev: {} }\nvars: { suite: unit }\nsteps:\n  build: { agent: dev, gate: ${gate}, next: done }\n${more}`

  it.each([
    ['make', [0, 1, 125], [126, 127, 137, 254]],
    ['{ run: make, expect: either }', [0, 1, 125], [126, 127]],
    ['{ run: make, expect: pass }', [0], [1, 126]],
    ['{ run: make, expect: fail }', [1, 125], [0, 126]],
  ])('[C12] of %s knows what is expected', (gate, expected, unexpected) => {
    const program = programOf(gated(gate))
    const { exits } = checkIn(program, 'build.trial')
    expect(program.start).toBe('build.trial')
    expect(leadsTo(program, 'build.trial', 'expected')).toBe('build')
    expect(leadsTo(program, 'build.trial', 'unexpected')).toBe('ask')
    expect(exits['unexpected']).toBeNull()
    for (const code of expected) expect(exits['expected']).toContain(code)
    for (const code of unexpected) expect(exits['expected']).not.toContain(code)
  })

  it('[C12] comes after setup, and is shared by equal commands of which the same is expected', () => {
    const program = programOf(
      gated(
        'make',
        `  mend: { agent: dev, gate: { run: make, max: 1 }, next: done }
  last: { agent: dev, gate: { run: make, expect: pass }, next: done }
  pick: { check: x, options: { pass: mend, fail: last } }
start: pick
setup: npm ci`,
      )
        .replace('gate: make, next: done', 'gate: make, next: pick')
        .replace('start: pick', 'start: build'),
    )
    expect(Object.keys(program.steps)).toEqual([
      'setup',
      'build.trial',
      'last.trial',
      'build',
      'mend',
      'last',
      'pick',
    ])
    expect(leadsTo(program, 'setup', 'done')).toBe('build.trial')
    expect(leadsTo(program, 'last.trial', 'expected')).toBe('build')
  })

  it.each([
    '{ run: make, expect: none }',
    '"make ${agent.id}"',
    '\'make ${steps.build.notes ?? "x"}\'',
    'make, on_signal: fail, on: { failed: done }',
  ])('[C12] is left out for %s', (gate) => {
    const program = programOf(gated(gate))
    expect([program.start, program.entry]).toEqual(['build', undefined])
  })

  it('[C12] leads where the flow says that a failure leads, if something else happens', () => {
    const program = programOf(`on: { failed: { to: retry, max: 2, then: abandoned } }\n${gated('make')}`)
    expect(program.steps['build.trial']!.routes['unexpected']).toMatchObject({
      origin: 'flow',
      arms: [
        { to: { kind: 'step', step: 'build.trial' }, bound: { kind: 'max', times: 2 } },
        { to: { kind: 'end', end: 'abandoned' } },
      ],
    })
  })

  it('[C12] has a name of its own for each gate of a panel', () => {
    const program = programOf(`
on: { failed: { to: retry, max: 1, then: ask } }
agents: { anna: { gate: make }, ben: { gate: make check } }
steps: { look: { panel: [anna, ben], next: done } }
`)
    expect(Object.keys(program.steps)).toEqual(['look.trial', 'look.trial-2', 'look'])
    expect(leadsTo(program, 'look.trial-2', 'failed')).toBe('look.trial-2')
  })

  it('[C12] may look up variables, the issue, the run and files', () => {
    const run = `'make \${var.suite} \${issue.id} \${run.id} \${file("a") ?? "x"}'`
    expect(programOf(gated(run)).start).toBe('build.trial')
  })

  it('[C12] of a flow inside is done by the flow around it, with what that gives', () => {
    const child = `
vars: { suite: { required: true }, other: x }
setup: { run: npm ci, on: { failed: mend } }
agents: { dev: {} }
steps:
  build: { agent: dev, gate: "make \${var.suite}", next: done }
  check: { agent: dev, gate: { run: "make \${var.other}", expect: pass }, next: done }
  mend: { check: make, next: build }
start: build
`.replace('next: done }\n  check', 'next: check }\n  check')
    const around = (other: string) => `
agents: { dev: {} }
steps:
  plan: { agent: dev, next: part }
  part: { flow: child.yaml, with: { suite: unit, other: "${other}" }, options: { done: done } }
`
    const program = programOf(around('y'), { 'child.yaml': child })
    expect(Object.keys(program.steps)).toEqual([
      'part.build.trial',
      'part.check.trial',
      'plan',
      'part',
      'part/build',
      'part/check',
    ])
    expect(program.steps['part']).toMatchObject({ entry: 'part/build' })
    expect(sourceText(checkIn(program, 'part.build.trial').run)).toBe('make unit')
    expect(codesOf(around('y'), { 'child.yaml': child })).toEqual(['5 ignored-setup'])
    expect(codesOf(around('${steps.plan.notes}'), { 'child.yaml': child })).toContain('5 untried-gate')
  })

  it('[C12] counts among the worst cases, and not among those without a fault', () => {
    const { worst, faultless } = certify(programOf(gated('make')))
    expect([worst.visits, faultless.visits]).toEqual([5, 2])
    expect([worst.flowQuestions, faultless.flowQuestions]).toEqual([5, 0])
  })
})

describe('roles', () => {
  const roles = (agents: string) =>
    certify(programOf(`agents: { dev: ${agents} }\nvars: { x: a }\nsteps: { a: { agent: dev, next: done } }`))
      .roles

  it('[C13] stand in the certificate as they were written', () => {
    expect(roles('{}')).toEqual([])
    expect(roles('{ writes: [src, "${var.x}"], network: off, git: read, judge: "./j ${var.x}" }')).toEqual([
      { agent: 'dev', writes: ['src', '${var.x}'], network: 'off', git: 'read', judge: './j ${var.x}' },
    ])
    expect(roles('{ network: [a.example.com, "*.example.com:443"], git: write }')).toEqual([
      {
        agent: 'dev',
        writes: null,
        network: ['a.example.com', '*.example.com:443'],
        git: 'write',
        judge: null,
      },
    ])
  })

  it('[C13] change no program that says nothing new of them', () => {
    const { agents } = programOf(
      'agents: { dev: { writes: [src] } }\nsteps: { a: { agent: dev, next: done } }',
    )
    expect(agents['dev']).toEqual({ use: 'default', prompt: null, writes: ['src'], prime: {} })
  })

  it('[A18] with a judge can be out of bounds, and are nudged for it', () => {
    const [step] = certify(
      programOf('agents: { dev: { judge: ./j } }\nsteps: { a: { agent: dev, next: done } }'),
    ).steps
    expect(step).toMatchObject({ dispatchesPerVisit: 3 })
  })

  const writing = (writes: string) => `
agents: { lead: {}, dev: { writes: ${writes} } }
handoffs: { task: { fields: { files: { type: list, required: true }, count: { type: number, required: true } } } }
steps:
  task: { agent: lead, gives: task, next: build }
  build: { agent: dev, next: done }
  start: { check: make, options: { pass: task, fail: build } }
start: start
`
  it.each([
    ['"${steps.task.files}"', ['unassigned']],
    [`'\${steps.task.files ?? "src/**"}'`, []],
    [`'\${steps.task.count ?? "x"}'`, ['unfit-type']],
    [`'a/\${steps.task.files ?? "x"}'`, ['unfit-type']],
    [`'\${steps.task.file ?? "x"}'`, ['unknown-name']],
    [`'\${steps.tsk.files ?? "x"}'`, ['unknown-name']],
    ['"${var.files}"', ['unknown-name']],
    ['"${run.dir}"', ['unfit-look-up']],
    [`'\${file("a") ?? "x"}'`, ['unfit-look-up']],
  ])('[L15] that write to %s are held to what is known when a step begins', (writes, codes) => {
    expect(compile(writing(writes)).diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  it('[L15] of a flow inside are held to what the flow around it gives', () => {
    const child =
      'vars: { files: x }\nagents: { dev: { writes: "${var.files}" } }\nsteps: { b: { agent: dev, next: done } }'
    const around = (files: string) =>
      `steps:\n  part: { flow: child.yaml, with: { files: '${files}' }, options: { done: done } }`
    expect(programOf(around('src/**'), { 'child.yaml': child }).agents['part/dev']!.writes).toHaveLength(1)
    expect(codesOf(around('${issue.labels}'), { 'child.yaml': child })).toEqual(['3 unfit-look-up'])
  })
})
