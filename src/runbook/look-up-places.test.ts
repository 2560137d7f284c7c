import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Scalar, stringify } from 'yaml'
import { compileSource } from './compile.ts'
import { createReport } from './report.ts'
import { childOf } from './tree.ts'
import { readYaml } from './yaml/read.ts'

/** What stands at each place where a look-up was said to be. */
function lookUpsIn(source: string): string[] | undefined {
  const tree = childOf(readYaml(source, createReport('flow.yaml')) ?? undefined, 'a')
  const lines = source.split('\n')
  if (tree?.kind !== 'scalar') return undefined
  return tree.lookUps?.map(({ line, column }) => {
    const rest = [lines[line - 1]!.slice(column - 1), ...lines.slice(line)].join('\n')
    // A text in double quotes may go on after a backslash on the next line.
    return /^\$\{[^}]*\}/.exec(rest.replaceAll(/\\\n\s*\\?/g, ''))?.[0] ?? ''
  })
}

const written = (text: string, type: Scalar.Type): string => {
  const scalar = new Scalar(text)
  scalar.type = type
  return stringify({ a: scalar }, { lineWidth: 20 })
}

describe('the place of a look-up', () => {
  it.each(['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const)(
    '[L17] is its own in a text written as %s',
    (type) => {
      const word = fc.constantFrom('x', 'it’s "so"', 'é\t', '\\', '$', "'", '\n', '\n\n  ', 'a: b')
      const piece = fc.oneof(
        word,
        fc.nat(9).map((n) => `\${var.n${n}}`),
      )
      fc.assert(
        fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
          const text = pieces.join(' ')
          const expected = text.match(/\$\{[^}]*\}/g)
          fc.pre(expected !== null)
          const source = written(text, type)
          // Cut in two at the end of a line, it is found nowhere.
          fc.pre(!source.includes('$\\\n'))
          expect(lookUpsIn(source)).toEqual(expected)
        }),
      )
    },
  )

  it('[L17] is where the text begins if a sign of it is written as an escape', () => {
    expect(lookUpsIn('a: "\\x24{var.x} ${var.y}"')).toBeUndefined()
  })
})

describe('several wrong look-ups in one text', () => {
  const places = (file: string, text: string, files: Record<string, string> = {}) =>
    compileSource({ file, text }, (path) =>
      files[path] === undefined
        ? { kind: 'unreadable', why: 'does not exist' }
        : { kind: 'text', text: files[path], file: path },
    ).diagnostics.map(({ file: where, at, message }) => `${where}:${at.line}:${at.column} ${message}`)

  it('[L17] stand each at its own place in HCL', () => {
    const quoted = 'step "a" { run = "say \\"x\\" ${var.b} ${run.c}" }'
    expect(places('flow.hcl', quoted)).toEqual([
      'flow.hcl:1:29 There is no variable "b".',
      'flow.hcl:1:38 `run` has no `c`.',
    ])
    const heredoc = 'step "a" {\n  run = <<-X\n    one ${var.b}\n      two ${var.c}\n  X\n}\n'
    expect(places('flow.hcl', heredoc)).toEqual([
      'flow.hcl:3:9 There is no variable "b".',
      'flow.hcl:4:11 There is no variable "c".',
    ])
    expect(places('flow.hcl', 'step "a" { run = var.b }')).toEqual([
      'flow.hcl:1:18 There is no variable "b".',
    ])
  })

  it('[L17] stand in the prompt file that holds them, once for all steps that use it', () => {
    const text =
      'runbook: 1\nagents: { d: {} }\nsteps:\n  a: { agent: d, prompt: p.md, next: b }\n  b: { agent: d, prompt: p.md, next: done }\n'
    expect(places('flow.yaml', text, { 'p.md': 'Hello\n\nfrom ${var.b}\nand ${steps.x.y}\n' })).toEqual([
      'p.md:3:6 There is no variable "b".',
      'p.md:4:5 There is no step "x" to look up.',
    ])
  })

  it('[L17] of which one is escaped are still counted right', () => {
    const text =
      'runbook: 1\nagents: { d: {} }\nsteps:\n  a:\n    agent: d\n    prompt: "$${HOME} ${var.b} $$${var.x} ${var.c}"\n    next: done\n'
    expect(places('flow.yaml', text)).toEqual([
      'flow.yaml:6:23 There is no variable "b".',
      'flow.yaml:6:43 There is no variable "c".',
    ])
  })
})
