/**
 * `${…}` in texts and commands, parsed when the runbook is compiled. Only look-ups: nothing is computed here.
 * `$${` is a literal `${`.
 */

import { didYouMean, list } from '../model/nearest.ts'
import { commandOf, PROJECT_COMMANDS } from '../model/project-command.ts'
import type { LookUp, Quote, Reference, Template, TemplatePart } from '../model/template.ts'
import { createShellQuoting } from './shell-quoting.ts'

export interface LookUpProblem {
  readonly code: 'bad-interpolation' | 'unknown-name' | 'unsafe-interpolation' | 'unfit-command'
  /** Of the look-up in the text. */
  readonly offset: number
  readonly message: string
  readonly help?: string | undefined
}

export interface ParsedText {
  readonly template: Template
  readonly problems: readonly LookUpProblem[]
  /** Where each look-up of the template begins in the text. */
  readonly offsets: readonly number[]
}

export const FIELDS_OF = {
  issue: ['id', 'title', 'body', 'path', 'status', 'parent', 'labels'],
  run: ['id', 'name', 'base', 'branch', 'worktree', 'dir', 'port', 'runbook', ...PROJECT_COMMANDS],
  agent: ['id', 'name', 'use', 'model', 'session'],
} as const

const ROOTS = ['var', 'issue', 'run', 'steps', 'agent', 'file']
const FORMS =
  '${var.NAME}, ${issue.FIELD}, ${run.FIELD}, ${agent.FIELD}, ${steps.NAME.FIELD} or ${file("path")}'
const EXPRESSION = /^\s*(.*?)\s*(?:\?\?\s*"((?:[^"\\]|\\.)*)"\s*)?$/s

export function parseText(text: string): ParsedText {
  return parse(text, null)
}

export function parseCommand(text: string): ParsedText {
  return parse(text, createShellQuoting())
}

function parse(text: string, shell: ReturnType<typeof createShellQuoting> | null): ParsedText {
  const parts: TemplatePart[] = []
  const problems: LookUpProblem[] = []
  const offsets: number[] = []
  let literal = ''
  /** What was read, with a letter for each look-up. */
  let before = ''
  const flush = () => {
    if (literal === '') return
    shell?.read(literal)
    before += literal
    parts.push(literal)
    literal = ''
  }

  for (let index = 0; index < text.length; ) {
    const dollar = text.indexOf('$', index)
    if (dollar === -1 || dollar === text.length - 1) {
      literal += text.slice(index)
      break
    }
    literal += text.slice(index, dollar)
    if (text.startsWith('$${', dollar)) {
      literal += '${'
      index = dollar + 3
    } else if (text.startsWith('${', dollar)) {
      const close = closingBrace(text, dollar + 2)
      if (close === -1) {
        problems.push({
          code: 'bad-interpolation',
          offset: dollar,
          message: 'A "${" is never closed.',
          help: 'Close it with "}", or write "$${" for a literal "${".',
        })
        literal += text.slice(dollar)
        break
      }
      flush()
      const lookUp = parseLookUp(text.slice(dollar + 2, close), (problem) =>
        problems.push({ ...problem, offset: dollar }),
      )
      const stands = shell?.lookUp() ?? { quote: 'bare' as const }
      if ('unsafe' in stands)
        problems.push({
          code: 'unsafe-interpolation',
          offset: dollar,
          message: `\${${text.slice(dollar + 2, close).trim()}} stands ${stands.unsafe}, where its value could not be quoted safely.`,
          help: 'Put the value into a shell variable first: x=${…}; then use "$x".',
        })
      else if (lookUp !== null) {
        const isCommand = shell !== null && stands.quote === 'bare' && commandOf(lookUp) !== null
        const role = isCommand ? roleOf(before, text.slice(close + 1)) : stands
        if ('quote' in role) {
          parts.push({ ...lookUp, quote: role.quote })
          offsets.push(dollar)
        } else problems.push({ ...role, offset: dollar })
      }
      before += 'x'
      index = close + 1
    } else {
      literal += '$'
      index = dollar + 1
    }
  }
  flush()
  return { template: parts, problems, offsets }
}

/** After which a command begins: what separates commands, words that take one, and variables it is given. */
const BEGINS =
  /(?:^|(?<![<>])[;&|\n(]|(?:^|[\s;&|(])(?:if|then|elif|else|while|until|do|time|!|\{)\s)\s*(?:[A-Za-z_]\w*=[^\s;&|()<>'"`$\\]*\s+)*$/
const ENDS = /^(?:[ \t]*(?:$|[;&|)\n<>])|[ \t]+(?:#|\d+[<>]))/

/** What a command of the project is where it stands unquoted: one to be run, or a word that another is given. */
function roleOf(before: string, after: string): { readonly quote: Quote } | Omit<LookUpProblem, 'offset'> {
  if (!BEGINS.test(before)) return { quote: 'bare' }
  if (ENDS.test(after)) return { quote: 'command' }
  return {
    code: 'unfit-command',
    message: 'A command of the project is whole: nothing can be added to it.',
    help: 'Let it stand alone, or between && and the like; or write out a command that takes these words.',
  }
}

/** The brace that closes the look-up; one inside a quoted string does not count. */
function closingBrace(text: string, from: number): number {
  let quoted = false
  for (let index = from; index < text.length; index++) {
    const char = text[index]
    if (char === '\\' && quoted) index++
    else if (char === '"') quoted = !quoted
    else if (char === '}' && !quoted) return index
  }
  return -1
}

type Tell = (problem: Omit<LookUpProblem, 'offset'>) => void

function parseLookUp(source: string, tell: Tell): Omit<LookUp, 'quote'> | null {
  const [, expression = '', fallback] = EXPRESSION.exec(source) ?? []
  const ref = parseReference(expression, tell)
  if (ref === null) return null
  return { ref, fallback: fallback === undefined ? null : fallback.replaceAll(/\\(.)/g, '$1') }
}

function parseReference(expression: string, tell: Tell): Reference | null {
  const file = /^file\(\s*"((?:[^"\\]|\\.)+)"\s*\)$/.exec(expression)
  if (file !== null) return { kind: 'file', path: file[1]!.replaceAll(/\\(.)/g, '$1') }
  const step = /^steps\.([A-Za-z][\w-]*)\.([A-Za-z][\w-]*)$/.exec(expression)
  if (step !== null) return { kind: 'step', step: step[1]!, field: step[2]! }
  const simple = /^([A-Za-z]\w*)\.([A-Za-z][\w-]*)$/.exec(expression)
  const [, root = '', field = ''] = simple ?? []
  if (root === 'var') return { kind: 'var', name: field }
  if (root === 'issue' || root === 'run' || root === 'agent') {
    const known: readonly string[] = FIELDS_OF[root]
    if (known.includes(field)) return { kind: root, field }
    tell({
      code: 'unknown-name',
      message: `\`${root}\` has no \`${field}\`.`,
      help: didYouMean(field, known) ?? `It has ${list(known)}.`,
    })
    return null
  }
  tell({
    code: 'bad-interpolation',
    message: `\`\${${expression.slice(0, 60)}}\` is not a look-up.`,
    help: formFor(expression),
  })
  return null
}

function formFor(expression: string): string {
  if (expression.startsWith('{')) return `One brace is enough: \${${expression.slice(1, 60).trim()}}.`
  if (/^\w+$/.test(expression) && !ROOTS.includes(expression))
    return `For a variable of this runbook write \${var.${expression}}, for one of the shell $${expression} without braces, or $\${${expression}}.`
  if (/^\w+:[-=?+]/.test(expression))
    return `To leave it to the shell, write $\${${expression.slice(0, 60)}}.`
  const [, lookedUp, fallback] = /^(.+?[.(].+?)\s*(?:\?\?|\|\||:-)\s*(.*)$/s.exec(expression) ?? []
  if (lookedUp !== undefined && fallback !== undefined)
    return `A fallback stands after ?? in double quotes: \${${lookedUp} ?? "${bare(fallback)}"}.`
  const [, path] = /^file\(\s*'([^'"]+)'\s*\)$/.exec(expression) ?? []
  if (path !== undefined) return `The path stands in double quotes: \${file("${path}")}.`
  return `Write ${FORMS}.`
}

/** Without the quotes of another language around it. */
const bare = (text: string): string => text.replace(/^(['"`])(.*)\1$/s, '$2').slice(0, 40)
