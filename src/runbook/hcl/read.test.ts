import { describe, expect, it } from 'vitest'
import { childOf, entryOf } from '../tree.ts'
import { read } from './reading.fixture.ts'

/** The value of a text that must read without a single finding. */
const valueIn = (text: string) => {
  const { value, findings } = read(text)
  expect(findings).toEqual([])
  return value
}

const stepOf = (body: string) => valueIn(`step "s" {\n${body}\n}`) as { steps: { s: unknown } }

describe('the document', () => {
  it('is one job, with the same blocks in it and beside it', () => {
    const value = valueIn(`
      agent "planner" { use = "fast" writes = ["notes"] }
      job "feature" {
        description = "Builds one feature"
        unattended  = true
        start       = "plan"
        limits      = { cost = 5, tokens = 1000 }
        budgets     = { tries = 3 }
        on          = { crash = "ask" }
        var "issue" { description = "Which" required = true }
        variable "branch" { default = "main" }
        handoff "plan" {
          version = 1
          field "risk" { description = "How bold" type = "text" }
        }
        end "shelved" { description = "Put away" success = false }
        step "plan" { run = { agent = "planner" } }
      }
      on "timeout" { to = "shelved" }`)
    expect(value).toEqual({
      runbook: 1,
      agents: { planner: { use: 'fast', writes: ['notes'] } },
      name: 'feature',
      description: 'Builds one feature',
      unattended: true,
      start: 'plan',
      limits: { cost: 5, tokens: 1000 },
      budgets: { tries: 3 },
      on: { crash: 'ask', timeout: { to: 'shelved' } },
      vars: { issue: { say: 'Which', required: true }, branch: { default: 'main' } },
      handoffs: { plan: { version: 1, fields: { risk: { say: 'How bold', type: 'text' } } } },
      ends: { shelved: { say: 'Put away', success: false } },
      steps: { plan: { agent: 'planner', next: 'done' } },
    })
  })

  it('may be steps without a job, and then has no name', () => {
    expect(valueIn('step "a" { run = "true" }')).toEqual({
      runbook: 1,
      steps: { a: { check: 'true', next: 'done' } },
    })
    expect(valueIn('job { step "a" { run = "true" } }')).not.toHaveProperty('name')
  })

  it('may be a library, and then has no steps', () => {
    expect(valueIn('agent "a" { use = "x" }\ndecision_template "t" {}')).toEqual({
      runbook: 1,
      agents: { a: { use: 'x' } },
      templates: { t: {} },
    })
    expect(valueIn('')).toEqual({ runbook: 1 })
  })

  it('keeps a version that is written, for the check of the tree to judge', () => {
    expect(valueIn('runbook = 2')).toEqual({ runbook: 2 })
  })

  it('is refused with a second job, at that job', () => {
    const { findings, messages } = read('job "a" {}\njob "b" {}\n  job {}')
    expect(findings).toEqual(['2:1 two-flows', '3:3 two-flows'])
    expect(messages[0]).toContain('One file is one flow')
  })

  it('knows its blocks, and names the nearest to one it does not know', () => {
    const { findings, diagnostics } = read('job "a" {\n  stepp "x" {}\n}\nagents "y" {}')
    expect(findings).toEqual(['2:3 unknown-key', '4:1 unknown-key'])
    expect(diagnostics.map(({ help }) => help)).toEqual(['Did you mean "step"?', 'Did you mean "agent"?'])
  })

  it('passes attributes and inner blocks that it does not know on to the check of the tree', () => {
    expect(
      valueIn(
        'colour = "red"\nagent "a" {\n  pormpt = "x"\n  mood {\n    calm = true\n  }\n  hat "big" { red = 1 }\n}',
      ),
    ).toEqual({
      runbook: 1,
      colour: 'red',
      agents: { a: { pormpt: 'x', mood: { calm: true }, hat: { big: { red: 1 } } } },
    })
  })

  it('is null where the text has gaps', () => {
    expect(read('step "a" { run = 1 + 1 }').tree).toBeNull()
    expect(read('step { run = "x" }')).toMatchObject({ tree: null, findings: ['1:1 hcl-syntax'] })
    expect(read('step "a" "b" { run = "x" }').findings).toEqual(['1:10 hcl-syntax'])
  })

  it('reports a name given to two blocks, or to a block and an attribute, and keeps the first', () => {
    const { value, findings, diagnostics } = read(
      'step "a" { run = "x" }\nstep "a" { run = "y" }\nstep "b" {\n  prompt = "p"\n  run = { agent = "z", prompt = "q" }\n}',
    )
    expect(findings).toEqual(['2:6 duplicate-key', '5:24 duplicate-key'])
    expect(diagnostics.map(({ path }) => path)).toEqual(['steps.a', 'steps.b.prompt'])
    expect(value).toMatchObject({ steps: { a: { check: 'x' }, b: { prompt: 'p' } } })
  })

  it('reads names such as constructor and __proto__ as any other', () => {
    const { tree, findings } = read('step "__proto__" { constructor = 1 run = "x" }')
    expect(findings).toEqual([])
    expect(childOf(childOf(childOf(tree!, 'steps'), '__proto__'), 'constructor')).toMatchObject({ value: 1 })
  })
})

describe('a step', () => {
  it.each([
    ['run = { agent = "planner" }', { agent: 'planner', next: 'done' }],
    ['run = { agent = "p", prompt = "go" }', { agent: 'p', prompt: 'go', next: 'done' }],
    ['run {\n  agent = "p"\n}', { agent: 'p', next: 'done' }],
    ['run = "npm test"', { check: 'npm test', next: 'done' }],
    [
      'run = { panel = ["a", "b"] }\nsettle_on = "all"',
      { panel: ['a', 'b'], settle_on: 'all', next: 'done' },
    ],
    ['run = { job = "ship.hcl", with = { a = 1 } }', { flow: 'ship.hcl', with: { a: 1 }, next: 'done' }],
    ['run = { flow = "ship.hcl" }', { flow: 'ship.hcl', next: 'done' }],
    ['run = 7', { run: 7, next: 'done' }],
  ])('with %s', (body, expected) => {
    expect(stepOf(body).steps.s).toEqual(expected)
  })

  it('says what it is for under say, however that was written', () => {
    expect(stepOf('description = "Why"\nrun = "x"').steps.s).toMatchObject({ say: 'Why' })
    expect(stepOf('say = "Why"\nrun = "x"').steps.s).toMatchObject({ say: 'Why' })
    expect(read('step "s" {\n  say = "a"\n  description = "b"\n}').findings).toEqual(['3:3 duplicate-key'])
  })

  it('takes its parts as blocks or as objects', () => {
    const asBlocks = `
      run  = { agent = "a" }
      option "ok" {
        description = "Fine"
        to = "done"
      }
      field "risk" { description = "How bold" choices = ["low", "high"] }
      when {
        risk = "low"
        to = "done"
      }
      when { to = "s" }
      on "crash" { to = "ask" }
      on_signal {
        action = "gate"
        run = "check"
      }`
    const asObjects = `
      run     = { agent = "a" }
      options = { ok = { description = "Fine", to = "done" } }
      fields  = { risk = { description = "How bold", choices = ["low", "high"] } }
      when    = [{ risk = "low", to = "done" }, { to = "s" }]
      on      = { crash = { to = "ask" } }
      on_signal = { action = "gate", run = "check" }`
    expect(stepOf(asBlocks).steps.s).toEqual({
      agent: 'a',
      options: { ok: { say: 'Fine', to: 'done' } },
      fields: { risk: { say: 'How bold', choices: ['low', 'high'] } },
      when: [{ risk: 'low', to: 'done' }, { to: 's' }],
      on: { crash: { to: 'ask' } },
      on_signal: { action: 'gate', run: 'check' },
    })
    expect(stepOf(asObjects)).toEqual(stepOf(asBlocks))
  })
})

describe('a decision', () => {
  it('lies flat in its step', () => {
    const decision = `
      decision {
        prompt   = "Which way?"
        context  = "git log -3"
        template = "fork"
        deadline { remind = "1h" expire = "1d" }
        field "why" { description = "Because" }
        option "left" { to = "done" }
      }`
    expect(stepOf(decision).steps.s).toEqual({
      decide: 'Which way?',
      context: 'git log -3',
      template: 'fork',
      deadline: { remind: '1h', expire: '1d' },
      fields: { why: { say: 'Because' } },
      options: { left: { to: 'done' } },
    })
    expect(stepOf(decision.replace('deadline {', 'deadline = {').replace(' expire', ', expire'))).toEqual(
      stepOf(decision),
    )
  })

  it('may ask several others in turn, in blocks or in a list', () => {
    const ladder = (reroute: string) => `
      decision {
        prompt = "Which way?"
        deadline {
          ${reroute}
          hours { zone = "UTC" from = "09:00" to = "17:00" }
        }
      }`
    const blocks = ladder('reroute { after = "1h" to = "anna" }\nreroute { after = "2h" to = "@leads" }')
    expect(stepOf(blocks).steps.s).toMatchObject({
      deadline: {
        reroute: [
          { after: '1h', to: 'anna' },
          { after: '2h', to: '@leads' },
        ],
        hours: { zone: 'UTC', from: '09:00', to: '17:00' },
      },
    })
    expect(
      stepOf(ladder('reroute = [{ after = "1h", to = "anna" }, { after = "2h", to = "@leads" }]')),
    ).toEqual(stepOf(blocks))
  })

  it('without a prompt is true where a template asks, and empty where nobody does', () => {
    expect(stepOf('decision { template = "fork" }').steps.s).toMatchObject({ decide: true, template: 'fork' })
    const { tree } = read('step "s" {\n  decision { option "a" { to = "done" } }\n}')
    expect(childOf(childOf(childOf(tree!, 'steps'), 's'), 'decide')).toEqual({
      kind: 'scalar',
      value: '',
      path: 'steps.s.decide',
      at: { line: 2, column: 3 },
    })
  })

  it('is one a step', () => {
    const { findings } = read('step "s" {\n  decision { prompt = "a" }\n  decision { prompt = "b" }\n}')
    expect(findings).toEqual(['3:3 duplicate-key'])
  })

  it('leads each option to the step or end of its name, the recommended one onwards, and others to a person', () => {
    const { value, diagnostics } = read(`
step "choose" {
  decision {
    prompt = "How?"
    option "build" {}
    option "abandoned" {}
    option "shelved" {}
    option "yes" { recommended = true }
    option "back" { to = "choose" }
    option "revise" { recommended = false }
  }
}
step "build" { run = { agent = "b" } }
end "shelved" {}`)
    expect(value).toMatchObject({
      steps: {
        choose: {
          options: {
            build: { to: 'build' },
            abandoned: { to: 'abandoned' },
            shelved: { to: 'shelved' },
            yes: { to: 'build' },
            back: { to: 'choose' },
            revise: { to: 'ask' },
          },
        },
      },
    })
    expect(diagnostics).toEqual([
      {
        code: 'option-without-target',
        severity: 'warning',
        file: 'flow.hcl',
        at: { line: 10, column: 5 },
        path: 'steps.choose.options.revise',
        message: 'Nobody says where "revise" leads, so a person will be asked when it is picked.',
        help: 'Write to = "STEP" in the option.',
      },
    ])
  })

  it('gets no target for the options of an agent, who must be told', () => {
    expect(stepOf('run = { agent = "a" }\noption "ok" {}').steps.s).toEqual({
      agent: 'a',
      options: { ok: {} },
    })
  })

  it('that only names a template shows by next where it leads', () => {
    expect(valueIn('step "a" { decision { template = "t" } }\nstep "b" { run = "x" }')).toMatchObject({
      steps: { a: { decide: true, next: 'b' }, b: { next: 'done' } },
    })
  })
})

describe('the order of steps', () => {
  const orderOf = (text: string) => {
    const { tree, ...rest } = read(text)
    const steps = childOf(tree!, 'steps')
    return { order: steps?.kind === 'map' ? steps.entries.map(({ key }) => key) : [], ...rest }
  }
  const step = (name: string, ...after: string[]) =>
    `step "${name}" {\n  run = "x"\n  depends_on = ${JSON.stringify(after)}\n}\n`

  it('is that of the file', () => {
    expect(orderOf(step('b') + step('a') + step('c')).order).toEqual(['b', 'a', 'c'])
  })

  it('puts a step after those it depends on, and otherwise keeps to the file', () => {
    const { order, value, findings } = orderOf(
      step('ship', 'test') + step('plan') + step('test', 'plan') + step('tell'),
    )
    expect(findings).toEqual([])
    expect(order).toEqual(['plan', 'test', 'ship', 'tell'])
    expect(value).toEqual({
      runbook: 1,
      steps: {
        plan: { check: 'x', next: 'test' },
        test: { check: 'x', next: 'ship' },
        ship: { check: 'x', next: 'tell' },
        tell: { check: 'x', next: 'done' },
      },
    })
  })

  it('leaves next, options and when as they are written', () => {
    expect(
      valueIn('step "a" { run = "x" next = "a" }\nstep "b" {\n  run = "x"\n  when { to = "a" }\n}'),
    ).toEqual({ runbook: 1, steps: { a: { check: 'x', next: 'a' }, b: { check: 'x', when: [{ to: 'a' }] } } })
  })

  it('knows no step that is not there', () => {
    const { findings, diagnostics } = orderOf(step('plan') + step('build', 'plann'))
    expect(findings).toEqual(['7:17 unknown-step'])
    expect(diagnostics[0]).toMatchObject({ path: 'steps.build.depends_on', help: 'Did you mean "plan"?' })
  })

  it('names the circle where steps wait for each other', () => {
    const { findings, messages, order } = orderOf(
      step('z', 'a') + step('a', 'b') + step('b', 'c') + step('c', 'a'),
    )
    expect(findings).toEqual(['7:17 depends-on-cycle'])
    expect(messages).toEqual(['These steps wait for each other: a → b → c → a.'])
    expect(order).toEqual(['z', 'a', 'b', 'c'])
    expect(orderOf(step('a', 'a')).messages).toEqual(['These steps wait for each other: a → a.'])
  })

  it('needs names', () => {
    expect(read('step "a" {\n  depends_on = [1]\n}').findings).toEqual(['2:3 hcl-syntax'])
    expect(valueIn('step "b" {\n  run = "x"\n  depends_on = "a"\n}\nstep "a" { run = "x" }')).toMatchObject({
      steps: { a: { next: 'b' } },
    })
  })
})

describe('places in the tree', () => {
  it('are those of the HCL text, under the paths of the YAML form', () => {
    const { tree } = read(
      'job "j" {\n  step "a" {\n    run = { agent = "x" }\n    option "k" { to = ["z"] }\n  }\n}',
    )
    const steps = childOf(tree!, 'steps')
    const a = entryOf(steps, 'a')
    expect(childOf(tree!, 'name')).toMatchObject({ at: { line: 1, column: 5 }, path: 'name' })
    expect(a).toMatchObject({
      at: { line: 2, column: 8 },
      value: { at: { line: 2, column: 3 }, path: 'steps.a' },
    })
    expect(entryOf(a?.value, 'agent')).toMatchObject({
      at: { line: 3, column: 13 },
      value: { at: { line: 3, column: 21 }, path: 'steps.a.agent' },
    })
    const k = entryOf(childOf(a?.value, 'options'), 'k')
    expect(k).toMatchObject({ at: { line: 4, column: 12 }, value: { path: 'steps.a.options.k' } })
    expect(childOf(k?.value, 'to')).toMatchObject({ items: [{ path: 'steps.a.options.k.to.0' }] })
  })
})
