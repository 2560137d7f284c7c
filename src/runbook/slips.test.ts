/** Mistakes that people make: each is told where it was made, with what would be right. */
import { describe, expect, it } from 'vitest'
import { compileSource } from './compile.ts'

/** A text, and all that is said of it. */
type Slip = readonly [text: string, ...said: string[]]

const YAML: readonly Slip[] = [
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: dev\n    prompt: Note: do it\n    next: done\n',
    '6:17 yaml-syntax This colon would begin a map inside a text. Quote the text: "Note: do it".',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a: *base\n',
    '4:6 yaml-syntax There is no anchor "&base" before this alias. Write the anchor first, or repeat the value. A text that begins with * stands in quotes: "*base".',
  ],
  [
    'runbook: 1\r\nagents: { dev: { writes: [] } }\r\nsteps:\r\n  a:\r\n    agent: dev\r\n    prompt: |\r\n      x ${var.y}\r\n    next: dne\r\n',
    '7:9 unknown-name There is no variable "y". Declare it: vars: { y: { required: true } }.',
    '8:11 unknown-target There is no step or end "dne". Did you mean "done"?',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: dev\n    next: done\n',
    '5:1 yaml-syntax Here stands a no-break space (U+00A0), which YAML takes for a letter. Replace it by a plain space, or remove it.',
  ],
  [
    'runbook: 1\n name: x\nsteps:\n  a: { check: x, next: done }\n',
    '2:1 unknown-key ` name` is not a key of a runbook. There is a no-break space (U+00A0) in it; replace it by a plain space, or remove it.',
  ],
  [
    'runbook: 1\nunattended: on\nsteps:\n  a: { decide: Go?, options: { x: { to: done, recommended: yes }, y: abandoned } }\n',
    '2:13 wrong-type `unattended` should be true or false, not the text "on". Write `unattended: true`.',
    '4:60 wrong-type `steps.a.options.x.recommended` should be true or false, not the text "yes". Write `recommended: true`.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  1:\n    agent: dev\n    next: done\n',
    '4:3 bad-name "1" cannot name a step: it starts with "1". A name starts with a letter from a to z and goes on with such letters, digits, - and _, 64 at most.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: dev\n    asks: { n: [1, 2] }\n    when: [{ if: { n: 1 }, to: done }, { to: abandoned }]\n',
    '6:17 wrong-type `steps.a.asks.n.0` should be text, not 1. Write "1".',
    '6:20 wrong-type `steps.a.asks.n.1` should be text, not 2. Write "2".',
    '7:23 wrong-type `steps.a.when.0.if.n` should be text or true or false or a list, not 1. Write `n: "1"`.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: dev\n    next: [done]\n',
    '6:11 wrong-type `steps.a.next` should be text or a map, not a list. Write `next: done`.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: { name: dev }\n    next: done\n',
    '5:12 wrong-type `steps.a.agent` should be text, not a map. Write `agent: dev`.',
  ],
  [
    "runbook: '1'\nsteps:\n  a: { check: x, next: done }\n",
    '1:10 wrong-type `runbook` should be a whole number, not the text "1". Write `runbook: 1`.',
  ],
  [
    'runbook: 1\nagent: dev\nprompt: x\nnext: done\n',
    '1:1 missing-key The runbook has no `steps`. The steps, in order.',
    '2:1 unknown-key `agent` is not a key of a runbook. `agent` is a key of `steps.NAME`; here you may mean "agents".',
    '3:1 unknown-key `prompt` is not a key of a runbook. `prompt` is a key of `agents.NAME` and `steps.NAME`.',
    '4:1 unknown-key `next` is not a key of a runbook. `next` is a key of `steps.NAME`.',
  ],
  [
    'runbook: 1\nsteps:\n  a:\n  agent: dev\n  next: done\n',
    '4:3 wrong-type `agent` stands beside `a`, and belongs into it. Indent it deeper than `a`.',
    '5:3 wrong-type `next` stands beside `a`, and belongs into it. Indent it deeper than `a`.',
  ],
  [
    'runbook: 1\nbudgets: { r: 1_000 }\nsteps:\n  a: { check: x, next: done }\n',
    '2:15 wrong-type `budgets.r` should be a whole number, not the text "1_000". Write `r: 1000`.',
  ],
  [
    "runbook: 1\nsteps:\n  a: { check: '', next: done }\n",
    '3:15 bad-command This command is empty, so it would always succeed. Write what should be run.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: dev\n    prompt: ${steps.a} ${var} ${issue.titel} ${{ var.x }}\n    next: done\n',
    '6:13 bad-interpolation `${steps.a}` is not a look-up. Write ${var.NAME}, ${issue.FIELD}, ${run.FIELD}, ${agent.FIELD}, ${steps.NAME.FIELD} or ${file("path")}.',
    '6:24 bad-interpolation `${var}` is not a look-up. Write ${var.NAME}, ${issue.FIELD}, ${run.FIELD}, ${agent.FIELD}, ${steps.NAME.FIELD} or ${file("path")}.',
    '6:31 unknown-name `issue` has no `titel`. Did you mean "title"?',
    '6:46 bad-interpolation `${{ var.x}` is not a look-up. One brace is enough: ${var.x}.',
  ],
  [
    "runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    agent: dev\n    prompt: ${steps.a.notes ?? 'none'} ${var.x || y} ${file('z')} ${HOME:-z}\n    next: done\n",
    '6:13 bad-interpolation `${steps.a.notes ?? \'none\'}` is not a look-up. A fallback stands after ?? in double quotes: ${steps.a.notes ?? "none"}.',
    '6:40 bad-interpolation `${var.x || y}` is not a look-up. A fallback stands after ?? in double quotes: ${var.x ?? "y"}.',
    '6:54 bad-interpolation `${file(\'z\')}` is not a look-up. The path stands in double quotes: ${file("z")}.',
    '6:67 bad-interpolation `${HOME:-z}` is not a look-up. To leave it to the shell, write $${HOME:-z}.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a: { agent: dev, nxt: done }\n  b: { agent: dev, optoins: { x: done } }\n',
    '4:20 unknown-key `nxt` is not a key of `steps.a`. Did you mean "next"?',
    '5:20 unknown-key `optoins` is not a key of `steps.b`. Did you mean "options"?',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a: { agent: dev, fields: { sure: boolean }, next: { sure: { else: done } } }\n',
    '4:53 table-without-variables "a" leads to the same place whatever is answered. Write `next: done`, or name the values that lead elsewhere.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: "${steps.b.files}" } }\nhandoffs: { h: { fields: { files: { type: list, required: true } } } }\nsteps:\n  a: { agent: dev, next: b }\n  b: { agent: dev, gives: h, next: done }\n',
    '2:27 unassigned "a" looks up b.files, which does not exist on every way to it. Write ${steps.b.files ?? "src/**"}, or make every way pass "b" with it.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [**/*.ts] } }\nsteps:\n  a: { agent: dev, next: done }\n',
    '2:27 yaml-syntax There is no anchor "&*/*.ts" before this alias. Write the anchor first, or repeat the value. A text that begins with * stands in quotes: "**/*.ts".',
  ],
  [
    '{"runbook": 1, "steps": {"a": {"check": "x" "next": "done"}}}\n',
    '1:45 yaml-syntax A comma is missing before this. Items and pairs in brackets are parted by commas.',
  ],
  [
    'runbook: 1\nsteps:\n  a:\n    decide: Ship?\n    options:\n      - ship: done\n      - stop: abandoned\n',
    '6:7 wrong-type `steps.a.options` should be a map of options, not a list. Write `options: { ship: done, stop: abandoned }`.',
  ],
  [
    'runbook: 1\nagents: { dev: { writes: [] } }\nsteps:\n  a:\n    panel: dev\n    options: { x: done, y: abandoned }\n',
    '5:12 wrong-type `steps.a.panel` should be a list, not the text "dev". Write `panel: [dev]`.',
  ],
  [
    'runbook: 1\nsteps:\n  a:\n    check: [ -f x ] && true\n    next: done\n',
    '4:12 yaml-syntax A text that begins with [ stands in quotes. Quote the whole text.',
  ],
  [
    'runbook: 1\nsteps:\n  a:\n    check: ! grep -r TODO src\n    next: done\n',
    '4:14 yaml-syntax The ! before this is no part of the text unless it stands in quotes. Quote the whole text.',
  ],
  [
    'runbook: 1\nsteps:\n  a:\n    check: |\n    make\n    next: done\n',
    '5:5 yaml-syntax A text of several lines is indented deeper than its key. Indent its lines by two spaces more.',
  ],
  ['runbook: 1\nsteps: {}\n', '2:8 wrong-type `steps` needs at least 1 step. The steps, in order.'],
  [
    'runbook: 1\nsteps:\n  a:\n    check: x\n    options: { pass: { exit: 0 to: done }, fail: abandoned }\n',
    '5:32 yaml-syntax A comma is missing before `to`. Write `0, to: …`.',
  ],
  [
    'runbook: 1\nsteps:\n  a: { check: x\u0000y, next: done }\n',
    '3:15 bad-command This command holds a NUL, which no command can be given. Remove it. Where the command itself should read \\0, the backslash stands twice in double quotes: \\\\0.',
  ],
]

const HCL: readonly Slip[] = [
  [
    'runbook: 1\nsteps:\n  a:\n    check: x\n',
    '1:1 hcl-syntax This is YAML, and the file is named as HCL. Name it .yaml.',
  ],
  ['step "a" {\n  run: "x"\n}\n', '2:6 hcl-syntax An attribute is set with =. Write run = ….'],
  [
    'step "a" {\n  run = \'x\'\n}\n',
    '2:9 hcl-syntax Text stands in double quotes. Write " at its beginning and at its end.',
  ],
  [
    'step "a" {\n  run = "x"\n  option = "pass"\n}\n',
    '3:3 hcl-syntax option is a block with a name of its own. Write option "pass" { … }.',
  ],
  [
    'step "a" {\n  run = "x"\n  options = ["pass","fail"]\n}\n',
    '3:13 wrong-type `steps.a.options` should be a map of options, not a list. Write `option "pass" { … } option "fail" { … }`.',
  ],
  [
    'step "a" {\n  agent "dev" {}\n  next = "done"\n}\n',
    '2:3 wrong-type `steps.a.agent` should be text, not a map. Write `agent = "dev"`.',
  ],
  [
    'steps = { a = { run = "x" } }\n',
    '1:1 hcl-syntax Each step is a block of its own. Write step "a" { … }.',
  ],
  [
    'step "a" {\n  run = “x”\n}\n',
    '2:9 hcl-syntax Text stands in double quotes. Write " at its beginning and at its end.',
  ],
  [
    'step "a" {\n  run = "x"\n}\n',
    '2:1 hcl-syntax Here stands a no-break space (U+00A0). Replace it by a plain space, or remove it.',
  ],
  [
    'step "a" {\n  decision {\n    prompt = "x"\n    option "p" { to = "done" recommended = yes }\n    option "q" { to = "abandoned" }\n  }\n}\n',
    '4:44 hcl-syntax yes stands without quotes, and is no look-up either. Write true, or "yes" if it is a text.',
  ],
  [
    'step "a" {\n  run = { agent = var.w }\n}\n',
    '2:19 bad-name "${var.w}" cannot name an agent: "$" is not allowed in a name. Who works at a step is fixed when it is written: name one of the agents.',
  ],
  ['step "a" = {\n run = "x"\n}\n', '1:10 hcl-syntax A block step has no =. Write step "NAME" { … }.'],
  [
    'step "a" {\n  run = "x"\n  time = 10m\n}\n',
    '3:10 hcl-syntax 10m is neither a number nor a text. Write "10m".',
  ],
  [
    'step "a" {\n  run = "x"\n  option "pass" { to = "done" exit = 1e3 }\n  option "fail" { to = "abandoned" exit = 0x1F }\n}\n',
    '4:43 hcl-syntax 0x1F is neither a number nor a text. Numbers are decimal: write 31.',
  ],
  [
    'budget "rework" { count = 2 }\nstep "a" {\n  run = "x"\n}\n',
    '1:1 unknown-key A flow has no block "budget". Write budgets = { rework = 1 }.',
  ],
  [
    'step "a" {\n  run = "x"\n  option "pass" { to = "done" }\n  option "fail" { to = "retry" max = 3 }\n}\n',
    '4:3 missing-then "fail" is bounded, but nobody says where it leads after 3 times. Write `then = "STEP"`, with a step or an end.',
  ],
  [
    'step "a" {\n  run = "x"\n  option "pass" { to = "done" }\n  option "fail" { to = "retry" }\n}\n',
    '4:3 unbounded-cycle Nothing bounds the cycle "a": a run could go round it for ever. Give one of its routes a bound: `max = 3 then = …` (private to the route) or `spend = "BUDGET" then = …` (shared by the run).',
  ],
  [
    'step "a" {\n  next = "done"\n}\n',
    '1:6 step-kind Nobody works at "a". A step has exactly one of `agent = "NAME"`, `panel = ["NAME", …]`, `run = "COMMAND"`, `decision { prompt = "QUESTION" }`, `run = { job = "FILE" }`.',
  ],
  [
    'step "a" {\n  run = "x"\n  depends_on = [plan]\n}\n',
    '3:17 hcl-syntax plan stands without quotes, and is no look-up either. Write "plan". A look-up has a dot or brackets: var.plan.',
  ],
  [
    'variable "x" {}\nstep "a" {\n  run = "echo ${x} ${var.y}"\n}\n',
    '3:15 bad-interpolation `${x}` is not a look-up. For a variable of this runbook write ${var.x}, for one of the shell $x without braces, or $${x}.',
    '3:20 unknown-name There is no variable "y". Known here: x.',
  ],
]

describe('a slip', () => {
  it.each(YAML.map(([text, ...said]) => ({ text, said })))('[L19] [L16] in YAML: $text', ({ text, said }) => {
    expect(saidOf('flow.yaml', text)).toEqual(said)
  })

  it.each(HCL.map(([text, ...said]) => ({ text, said })))('[L19] [L16] in HCL: $text', ({ text, said }) => {
    expect(saidOf('flow.hcl', text)).toEqual(said)
  })
})

describe('[L20] what is no name', () => {
  it('is never taken for an agent', () => {
    const steps = (agent: string) => `runbook: 1\nsteps:\n  a:\n    ${agent}\n    next: done\n`
    for (const agent of [
      'agent: "a b"',
      'agent: "${var.x}"',
      'panel: [x advisory]',
      'panel: [{ agent: "1" }]',
    ])
      expect(saidOf('flow.yaml', steps(agent))[0]).toMatch(/ bad-name /)
    expect(saidOf('flow.hcl', 'step "a" { agent = w }')).toEqual([
      '1:20 hcl-syntax w stands without quotes, and is no look-up either. Write "w". A look-up has a dot or brackets: var.w.',
    ])
  })
})

const saidOf = (file: string, text: string): string[] =>
  compileSource({ file, text }, () => ({ kind: 'unreadable', why: 'does not exist' })).diagnostics.map(
    ({ at, code, message, help }) => `${at.line}:${at.column} ${code} ${message} ${help}`,
  )
