import { describe, expect, it } from 'vitest'
import { compileSource } from './compile.ts'
import { certify } from './proof/certificate.ts'

const compile = (text: string, files: Record<string, string> = {}, file = 'flow.yaml') =>
  compileSource({ file, text }, (path) => {
    const found = files[path]
    return found === undefined
      ? { kind: 'unreadable', why: 'does not exist' }
      : { kind: 'text', text: found, file: path }
  })

const codes = (text: string, files?: Record<string, string>, file?: string): string[] =>
  compile(text, files, file).diagnostics.map(({ code, severity }) => `${severity} ${code}`)

const steps = (text: string): string => `runbook: 1\nagents: { dev: {} }\nsteps:\n${text}`

describe('an option without a target', () => {
  const yaml = steps('  a: { decide: Go?, options: { go: done, wait: { say: Later } } }')
  const hcl =
    'step "a" {\n  decision {\n    prompt = "Go?"\n    option "done" {}\n    option "wait" {}\n  }\n}\n'

  it('[L8] is an error in YAML', () => {
    expect(codes(yaml)).toEqual(['error option-without-target'])
  })

  it('[L8] leads in HCL where its name says, or asks a person, with a warning', () => {
    expect(codes(hcl, {}, 'flow.hcl')).toEqual(['warning option-without-target'])
    const { routes } = compile(hcl, {}, 'flow.hcl').program!.steps['a']!
    expect(routes['done']!.arms[0]!.to).toEqual({ kind: 'end', end: 'done' })
    expect(routes['wait']!.arms[0]!.to).toEqual({ kind: 'ask' })
  })
})

describe('a flow inside a flow', () => {
  const child =
    'runbook: 1\nvars: { what: { required: true } }\nbudgets: { again: 1 }\nagents: { dev: {} }\nsteps:\n  look: { agent: dev, prompt: "Look at ${var.what}", options: { fine: done, poor: { to: look, spend: again, then: bad } } }\nends: { bad: Not good }\n'
  const parent = (options: string) =>
    steps(`  part: { flow: child.yaml, with: { what: "it" }, options: ${options} }`)

  it('[L10] becomes steps, budgets and outcomes of the flow around it', () => {
    const { program } = compile(parent('{ done: done, bad: abandoned }'), { 'child.yaml': child })
    expect(Object.keys(program!.steps)).toEqual(['part', 'part/look'])
    expect(program!.budgets).toEqual({ interventions: 3, 'part/again': 1 })
    expect(program!.steps['part/look']!.routes['fine']!.arms[0]!.to).toEqual({
      kind: 'leave',
      flow: 'part',
      end: 'done',
    })
  })

  it('[L10] needs a route for each of its ends, and a value for each of its variables', () => {
    expect(codes(parent('{ done: done }'), { 'child.yaml': child })).toEqual(['error missing-option'])
    expect(
      codes(parent('{ done: done, bad: done }').replace('with: { what: "it" }, ', ''), {
        'child.yaml': child,
      }),
    ).toEqual(['error missing-variable'])
  })

  it('[L10] cannot contain itself', () => {
    const self = steps('  a: { flow: flow.yaml, options: { done: done } }')
    expect(codes(self, { 'flow.yaml': self })).toEqual(['error flow-cycle'])
  })

  it('[L3] that is doubled again and again is refused before it fills the memory', () => {
    const files = Object.fromEntries(
      Array.from({ length: 16 }, (_, depth) => [
        `f${depth}.yaml`,
        depth === 15
          ? steps('  a: { agent: dev, next: done }')
          : steps(
              `  a: { flow: f${depth + 1}.yaml, options: { done: b } }\n  b: { flow: f${depth + 1}.yaml, options: { done: done } }`,
            ),
      ]),
    )
    expect(codes(files['f0.yaml']!, files)).toContain('error too-large')
  })

  it('[L10] [L11] keeps the templates of every runbook inside', () => {
    const files = {
      'inner.yaml': `templates: { mine: { prompt_hint: Mine } }\n${steps('  test: { check: npm test, options: { pass: done, fail: done } }')}`,
      'outer.yaml': steps('  inner: { flow: inner.yaml, options: { done: done } }'),
    }
    const { program } = compile(
      steps(
        '  one: { flow: outer.yaml, options: { done: two } }\n' +
          '  two: { flow: inner.yaml, options: { done: done } }',
      ),
      files,
    )
    const names = Object.keys(program!.templates)
    expect(names.filter((name) => name.endsWith('mine'))).toEqual(['one/inner/mine', 'two/mine'])
    expect(names.filter((name) => name.endsWith('stuck'))).toEqual([
      'stuck',
      'one/stuck',
      'one/inner/stuck',
      'two/stuck',
    ])
  })

  it('[C2] is no way out because a person could stop the run somewhere inside', () => {
    const files = {
      'inner.yaml': steps('  test: { check: npm test, options: { pass: done, fail: done } }'),
      'outer.yaml': steps('  inner: { flow: inner.yaml, options: { done: done } }'),
    }
    const { diagnostics } = compile(
      steps(
        '  outer: { flow: outer.yaml, options: { done: stuck } }\n' +
          '  stuck: { check: npm test, options: { pass: ask, fail: ask } }',
      ),
      files,
    )
    expect(diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'no-way-out steps.outer',
      'no-way-out steps.stuck',
    ])
  })
})

describe('decision templates', () => {
  it('[L11] ship as eight, and one declared in the runbook replaces its namesake', () => {
    const text = `templates: { stuck: { prompt_hint: Mine, options: { help: { say: Help } } } }\n`
    const { program } = compile(`${steps('  a: { agent: dev, next: done }')}\n${text}`)
    expect(Object.keys(program!.templates)).toEqual([
      'ambiguity',
      'checkpoint',
      'confirmation',
      'exception',
      'prioritization',
      'quality',
      'stuck',
      'tradeoff',
    ])
    expect(program!.templates['stuck']).toMatchObject({ hint: 'Mine', options: [{ value: 'help' }] })
  })
})

describe('a file with many problems', () => {
  it('[L2] tells them all at once, of its shape, its names and its look-ups', () => {
    const text = steps(
      '  a: { agent: dev, promt: x, prompt: "${steps.b.nothing} ${issue.titel}", next: c }\n  b: { agent: dev, options: { ok: done, no: { to: a, max: two, then: done } } }',
    )
    expect(codes(text)).toEqual([
      'error unknown-key',
      'error unknown-name',
      'error unknown-name',
      'error unknown-target',
      'error wrong-type',
    ])
  })
})

describe('the whole flow', () => {
  it('[C2] every step is reached, and leads to an end by what is written', () => {
    expect(codes(steps('  a: { agent: dev, next: done }\n  b: { agent: dev, next: done }'))).toEqual([
      'error unreachable-step',
    ])
    expect(codes(steps('  a: { agent: dev, next: b }\n  b: { agent: dev, next: a }'))).toContain(
      'error no-way-out',
    )
  })

  it('[C5] what is looked up exists on every way, and a later visit forgets what an earlier one gave', () => {
    const flow = (prompt: string) =>
      steps(
        `  a: { agent: dev, options: { ok: b, no: b }, fields: { why: { type: text, required_for: [no] } } }\n  b: { agent: dev, prompt: "${prompt}", next: done }`,
      )
    expect(codes(flow('${steps.a.outcome}'))).toEqual([])
    expect(codes(flow('${steps.a.why ?? \\"none\\"}')).filter((code) => code.startsWith('error'))).toEqual([])
    expect(
      compile(flow('${steps.a.why}')).diagnostics.find(({ code }) => code === 'unassigned')?.trail,
    ).toEqual(['a —ok→ b'])
  })

  it.each([
    ['undeclared-agent', 'steps: { a: { agent: somebody, next: done } }'],
    ['unused-budget', 'budgets: { spare: 1 }\nsteps: { a: { check: make, next: done } }'],
    [
      'then-never-taken',
      'steps: { a: { check: make, options: { pass: { to: done, max: 2, then: abandoned }, fail: abandoned } } }',
    ],
    [
      'advisory-panel',
      'agents: { x: {} }\nsteps: { a: { panel: [{ agent: x, advisory: true }], options: { y: done, n: abandoned } } }',
    ],
    ['gate-cannot-fail', 'agents: { x: {} }\nsteps: { a: { agent: x, gate: "make || true", next: done } }'],
    ['no-deadline', 'unattended: true\nsteps: { a: { decide: Go?, options: { y: done, n: abandoned } } }'],
    ['indistinguishable', 'steps: { a: { decide: Go?, options: { y: done, n: done } } }'],
  ])('[C8] %s is a warning, and the flow is certified all the same', (code, text) => {
    const { program, diagnostics } = compile(`runbook: 1\n${text}`)
    expect(diagnostics.map((one) => `${one.severity} ${one.code}`)).toEqual([`warning ${code}`])
    expect(certify(program!).exact).toBe(true)
  })
})
