/**
 * docs/checks.md is the golden test of the diagnostics. Each example in it is compiled, and the output that stands
 * below it must be what is printed. After a message has changed, `npx vitest run test/checks.test.ts -u` writes the
 * outputs anew; read the difference before it is kept.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../src/model/diagnostic.ts'
import type { KnownProject } from '../src/runbook/compile/scope.ts'
import { compileSource } from '../src/runbook/compile.ts'
import { diagnosticText } from '../src/runbook/diagnostic-text.ts'
import { createReport } from '../src/runbook/report.ts'
import { decodeUtf8 } from '../src/runbook/source-text.ts'

const SOURCES = join(import.meta.dirname, '../src/runbook')
const MANUAL = join(import.meta.dirname, '../docs/checks.md')

/** Inputs that nobody would want to read, in the order in which the manual describes them. */
const GENERATED: Readonly<Record<string, readonly (() => readonly Diagnostic[])[]>> = {
  'not-utf8': [() => decoded([...new TextEncoder().encode('name: caf'), 0xe9, 0x0a])],
  'too-large': [
    () => compiled('example.yaml', ' '.repeat(300_000)),
    () => compiled('example.yaml', listsOfAliases(8)),
  ],
  'too-deep': [
    () => compiled('example.yaml', '['.repeat(50) + ']'.repeat(50)),
    () => compiled('example.hcl', `deep = ${'['.repeat(70)}${']'.repeat(70)}`),
  ],
  'no-command': [
    () =>
      compiledWhere(
        { commands: new Set(['build']) },
        'runbook: 1\nsteps:\n  test: { check: "${run.test}", next: done }\n',
      ),
  ],
}

describe('docs/checks.md', () => {
  const manual = readFileSync(MANUAL, 'utf8')
  const { examples, rewritten } = compileExamples(manual)

  it('has one section for each code in the sources', () => {
    const headings = [...manual.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading!)
    expect(headings.toSorted()).toEqual(codesInSources())
  })

  it('shows each of its codes', () => {
    expect([...new Set(examples.map(({ code }) => code))].toSorted()).toEqual(codesInSources())
  })

  it.each(examples)('$code shows itself and nothing else', ({ code, diagnostics }) => {
    expect([...new Set(diagnostics.map((diagnostic) => diagnostic.code))]).toEqual([code])
  })

  it('[L2] holds what is printed, word for word', async () => {
    await expect(rewritten).toMatchFileSnapshot(MANUAL)
  })
})

interface Example {
  readonly code: string
  readonly diagnostics: readonly Diagnostic[]
}

const HEADING_OR_BLOCK =
  /^### (?<heading>.+)$|^```(?<language>\w+)(?: file=(?<file>\S+))?\n(?<body>[\s\S]*?)^```$/gm

/** A block is the runbook, a file beside it (`file=…`), or (`text`) the output of what came before it. */
function compileExamples(manual: string): { examples: Example[]; rewritten: string } {
  const examples: Example[] = []
  let code = ''
  let files = new Map<string, string>()
  const rewritten = manual.replaceAll(HEADING_OR_BLOCK, (whole, ...rest) => {
    const { heading, language, file, body = '' } = rest.at(-1) as Record<string, string | undefined>
    if (heading !== undefined) code = heading
    else if (language !== 'text') files.set(file ?? `example.${language}`, body)
    else {
      const diagnostics = files.size === 0 ? generated(code, examples) : compiledFrom(files)
      examples.push({ code, diagnostics })
      files = new Map()
      return `\`\`\`text\n${diagnostics.map(diagnosticText).join('\n')}\n\`\`\``
    }
    return whole
  })
  return { examples, rewritten }
}

function generated(code: string, before: readonly Example[]): readonly Diagnostic[] {
  const nth = before.filter((example) => example.code === code).length
  const generate = GENERATED[code]?.[nth]
  if (generate === undefined)
    throw new Error(`${code} shows an output without a runbook or a generated input`)
  return generate()
}

function compiledFrom(files: ReadonlyMap<string, string>): readonly Diagnostic[] {
  const [[file, text]] = [...files] as [[string, string]]
  return compileSource({ file, text }, (path) => {
    const found = files.get(path)
    return found === undefined
      ? { kind: 'unreadable', why: 'does not exist' }
      : { kind: 'text', text: found, file: path }
  }).diagnostics
}

const compiled = (file: string, text: string): readonly Diagnostic[] => compiledFrom(new Map([[file, text]]))

const compiledWhere = (project: KnownProject, text: string): readonly Diagnostic[] =>
  compileSource({ file: 'example.yaml', text }, () => ({ kind: 'unreadable', why: 'does not exist' }), {
    project,
  }).diagnostics

function decoded(bytes: readonly number[]): readonly Diagnostic[] {
  const report = createReport('example.yaml')
  decodeUtf8(Uint8Array.from(bytes), report)
  return report.diagnostics
}

function listsOfAliases(count: number): string {
  const list = (item: string) => `[${Array.from({ length: 10 }, () => item).join(', ')}]`
  return Array.from({ length: count }, (_, n) => `l${n}: &l${n} ${list(n === 0 ? 'x' : `*l${n - 1}`)}`).join(
    '\n',
  )
}

/** As `code: '…'`, or as what the two helpers that report with a given code are called with. */
function codesInSources(): string[] {
  const codes = new Set<string>()
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || /\.(?:test|fixture)\.ts$/.test(path)) continue
    const source = readFileSync(join(SOURCES, path), 'utf8')
    for (const [, code] of source.matchAll(
      /(?:\bcode: |\bunknown\(\s*scope,\s*|\bwrong\(\s*)'([a-z][a-z\d-]*)'/g,
    ))
      codes.add(code!)
  }
  return [...codes].toSorted()
}
