/** What an option has run at once is known before it is picked. */
import { describe, expect, it } from 'vitest'
import { given } from './given.fixture.ts'
import { questionsOf } from './index.ts'

const world = () => undefined

function runsAt(text: string, files: Readonly<Record<string, string>> = {}) {
  const { program, state } = given(text, files).started({ tag: 'v1; rm -r ~' })
  const { runs } = questionsOf(program, state, world)[0]!
  return Object.fromEntries(
    Object.entries(runs).map(([outcome, commands]) => [
      outcome,
      commands.map(({ step, command }) => `${step}: ${command}`),
    ]),
  )
}

const ship = (options: string, rest: string): string => `
  vars: { tag: { required: true } }
  steps:
    sign: { decide: Ship it?, options: { ${options} } }
    ${rest}
`

describe('[Q27] what an option runs', () => {
  it('is the command of the check it leads to, with its values; an end and an agent run none', () => {
    const runs = runsAt(
      ship(
        'ship: publish, drop: abandoned, redo: work',
        `work: { agent: dev, next: sign2 }
    publish: { check: 'npm publish --tag \${var.tag}', next: done }
    sign2: { decide: Sure?, options: { y: done, n: abandoned } }`,
      ),
    )
    expect(runs).toEqual({ ship: ["publish: npm publish --tag 'v1; rm -r ~'"], drop: [], redo: [] })
  })

  it('is that of every arm, of what a person is shown next, and of what an agent is begun with', () => {
    const runs = runsAt(`
      vars: { tag: { default: x } }
      agents: { dev: { prime: { startup: cat notes } } }
      steps:
        sign: { decide: Ship it?, options: { again: { to: try, max: 2, then: look }, work: work } }
        try: { check: make, next: sign }
        look: { decide: And now?, context: git diff, options: { on: done, no: abandoned } }
        work: { agent: dev, next: done }
    `)
    expect(runs).toEqual({ again: ['try: make', 'look: git diff'], work: ['work: cat notes'] })
  })

  it('follows flows in and out', () => {
    const runs = runsAt(
      `
      vars: { tag: { default: x } }
      steps:
        sign: { decide: Ship it?, options: { in: child, no: abandoned } }
        child: { flow: child.yaml, options: { done: after } }
        after: { check: echo after, next: done }
      `,
      { 'child.yaml': 'steps: { first: { check: echo first, next: done } }' },
    )
    expect(runs['in']).toEqual(['child/first: echo first'])
    const inside = runsAt(
      'vars: { tag: { default: x } }\nsteps: { child: { flow: child.yaml, options: { done: after, abandoned: abandoned } }, after: { check: echo after, next: done } }',
      { 'child.yaml': 'steps: { sign: { decide: Ship it?, options: { on: done, no: abandoned } } }' },
    )
    expect(inside).toEqual({ on: ['after: echo after'], no: [] })
  })

  it('leaves a look-up as it was written where its value comes with the answer, is long, or could not be seen', () => {
    const text = `
      vars: { tag: { required: true }, long: { default: "${'x'.repeat(300)}" }, odd: { default: "a\\u202Eb" } }
      steps:
        sign:
          decide: Ship it?
          options: { ship: publish, drop: abandoned }
          fields: { why: { type: text } }
        publish:
          check: 'say \${steps.sign.why ?? "none"} \${var.long} \${var.odd}'
          next: done
    `
    expect(runsAt(text)['ship']).toEqual(['publish: say ${steps.sign.why ?? "none"} ${var.long} ${var.odd}'])
  })
})
