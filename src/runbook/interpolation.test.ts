import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderText, sourceText, type Template } from '../model/template.ts'
import { parseCommand, parseText } from './interpolation.ts'

const parsed = (text: string): Template => {
  const { template, problems } = parseText(text)
  expect(problems).toEqual([])
  return template
}

const lookUp = (text: string) => {
  const [part, ...more] = parsed(text)
  expect(more).toEqual([])
  if (part === undefined || typeof part === 'string') throw new Error(`${text} is no look-up`)
  return part
}

const problemsOf = (text: string) =>
  parseText(text).problems.map(({ code, message }) => `${code}: ${message}`)

describe('a text', () => {
  it('[L5] is itself where nothing is looked up', () => {
    const plain = fc.string({ unit: fc.constantFrom('$', '{', '}', '"', '\\', 'a', ' ', '\n', 'é') })
    fc.assert(
      fc.property(
        plain.filter((text) => !text.includes('${')),
        (text) => {
          expect(renderText(parsed(text), () => 'never')).toBe(text)
        },
      ),
    )
  })

  it('[L5] holds a literal ${ for $${', () => {
    expect(renderText(parsed('a $${HOME} b $${'), () => 'never')).toBe('a ${HOME} b ${')
    expect(renderText(parsed('$$${var.x}'), () => 'never')).toBe('$${var.x}')
  })

  it('[L5] can be shown as it was written', () => {
    for (const text of ['a $${HOME} ${var.x}', '${run.test ?? "true"} && x', 'plain $5'])
      expect(sourceText(parsed(text))).toBe(text)
  })

  it('[L5] may hold several look-ups, and a dollar sign before other things', () => {
    const values = { var: 'a', run: 'b' } as Record<string, string>
    const template = parsed('$5 ${var.x}${run.id}, ${ var.x } $')
    expect(renderText(template, ({ kind }) => values[kind])).toBe('$5 ab, a $')
  })

  it('[L3] is read without an exception, whatever stands in it', () => {
    const anything = fc.string({
      unit: fc.constantFrom('${', '}', '"', '\\', '??', 'var.x', 'file("', '$', '(', "'", '\n'),
    })
    fc.assert(
      fc.property(anything, (text) => {
        for (const parse of [parseText, parseCommand]) expect(parse(text).problems).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('a look-up', () => {
  it.each([
    ['${var.issue}', { kind: 'var', name: 'issue' }],
    ['${var.dry-run}', { kind: 'var', name: 'dry-run' }],
    ['${issue.title}', { kind: 'issue', field: 'title' }],
    ['${run.base}', { kind: 'run', field: 'base' }],
    ['${agent.id}', { kind: 'agent', field: 'id' }],
    ['${steps.code-review.findings}', { kind: 'step', step: 'code-review', field: 'findings' }],
    ['${file("a/b.md")}', { kind: 'file', path: 'a/b.md' }],
    ['${file( "a}\\"b.md" )}', { kind: 'file', path: 'a}"b.md' }],
  ])('[L5] may be %s', (text, ref) => {
    expect(lookUp(text)).toEqual({ ref, fallback: null, quote: 'bare' })
  })

  it.each([
    ['${var.x ?? "none yet"}', 'none yet'],
    ['${var.x ?? ""}', ''],
    ['${var.x??"a"}', 'a'],
    ['${var.x ?? "a } b"}', 'a } b'],
    ['${var.x ?? "say \\"so\\" \\\\ twice"}', 'say "so" \\ twice'],
    ['${var.x ?? "two\nlines"}', 'two\nlines'],
    ['${var.x ?? "?? \\"b\\""}', '?? "b"'],
  ])('[L5] may have a fallback: %s', (text, fallback) => {
    expect(lookUp(text).fallback).toBe(fallback)
    expect(renderText([lookUp(text)], () => undefined)).toBe(fallback)
  })

  it.each([
    '${}',
    '${ }',
    '${HOME}',
    '${var}',
    '${var.}',
    '${var.a.b}',
    '${var.x + 1}',
    '${var.x ?? none}',
    "${var.x ?? 'none'}",
    '${var.x ?? var.y}',
    '${steps.review}',
    '${steps.a.b.c}',
    '${file(x)}',
    '${file("")}',
    '${env.HOME}',
    '${upper(var.x)}',
  ])('[L5] is nothing else: %s', (text) => {
    expect(problemsOf(text).map((problem) => problem.split(':')[0])).toEqual(['bad-interpolation'])
  })

  it('[L5] must be closed', () => {
    expect(problemsOf('a ${var.x')).toEqual(['bad-interpolation: A "${" is never closed.'])
    expect(problemsOf('a ${var.x ?? "}')).toEqual(['bad-interpolation: A "${" is never closed.'])
  })

  it('[L4] of a field that does not exist is told so', () => {
    expect(problemsOf('${issue.titl} ${run.id} ${agent.nam}')).toEqual([
      'unknown-name: `issue` has no `titl`.',
      'unknown-name: `agent` has no `nam`.',
    ])
  })
})

describe('in a command', () => {
  it('[L6] a look-up knows the quotes it stands in', () => {
    const { template, problems } = parseCommand('a ${var.x} "b ${var.x}" \'c ${var.x}\' "$(d ${var.x})"')
    expect(problems).toEqual([])
    expect(template.flatMap((part) => (typeof part === 'string' ? [] : [part.quote]))).toEqual([
      'bare',
      'double',
      'single',
      'bare',
    ])
  })

  const quoteOf = (command: string): string =>
    parseCommand(command)
      .template.flatMap((part) => (typeof part === 'string' ? [] : [part.quote]))
      .join(' ')

  it.each([
    '${run.test}',
    '  ${run.test}\n',
    '${run.test ?? "true"}',
    'true && ${run.test}',
    'CI=1 NODE_ENV=test ${run.test} 2>&1 | tail -5',
    'if ! ${run.test}; then exit 1; fi',
    '{ ${run.test}\n} || exit $?',
    '(${run.test})',
    'x=$(${run.test})',
    '${run.test} > out.txt',
    '${run.test} # all of them',
    'while ${run.test}; do sleep 1; done',
  ])('[L21] a command of the project stands as a command: %j', (command) => {
    expect(parseCommand(command).problems).toEqual([])
    expect(quoteOf(command)).toBe('command')
  })

  it.each([
    ['sh -c ${run.test}', 'bare'],
    ['echo ${run.test} $x', 'bare'],
    ['echo "${run.test}"', 'double'],
    ["echo '${run.test}'", 'single'],
    ['cat <a 2>& ${run.test}', 'bare'],
    ['a-${run.test}', 'bare'],
    ['${var.x} ${run.test}', 'bare bare'],
    ['${run.id}', 'bare'],
  ])('[L21] and is a word like any other look-up elsewhere: %j', (command, quote) => {
    expect(parseCommand(command).problems).toEqual([])
    expect(quoteOf(command)).toBe(quote)
  })

  it.each([
    '${run.test} --grep x',
    '${run.test}x',
    'true; ${run.test} "a"',
    '${run.test} ${var.x}',
    '${run.build}${run.test}',
  ])('[L21] nothing can be added to it: %j', (command) => {
    expect(parseCommand(command).problems.map(({ code }) => code)).toEqual(['unfit-command'])
  })

  it('[L5] an escaped $${ is an expansion of the shell, in which nothing is looked up', () => {
    const { problems } = parseCommand('echo $${HOME:-${var.x}}')
    expect(problems.map(({ code }) => code)).toEqual(['unsafe-interpolation'])
  })
})
