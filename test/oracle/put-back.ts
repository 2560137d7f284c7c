/**
 * Faults that Signalbox once had, each put back by a line or two, so that it can be seen whether the explorer still
 * finds them by itself. Where a page changes so much that a line is no longer there, the fault is to be put back anew.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { firstDifference } from './first-difference.ts'

export interface PutBack {
  readonly what: string
  readonly page: string
  readonly line: string
  readonly untrue: string
  /** What is said of it. */
  readonly tells: RegExp
}

export const ONCE_UNTRUE: readonly PutBack[] = [
  {
    what: 'a severity is written by its first letter, so major and minor are one',
    page: 'src/rehearsal/fingerprint.ts',
    line: '(fields[settleOn] ?? NONE) as readonly Finding[])',
    untrue:
      '((fields[settleOn] ?? NONE) as readonly Finding[]).map((one) => ({ ...one, severity: one.severity[0] === "m" ? "major" as const : one.severity })))',
    tells: /^rehearsal: route .* is missed$/,
  },
  {
    what: 'one combination is tried for each row, and that one needs a person',
    page: 'src/rehearsal/member-moves.ts',
    line: 'return combinations.map((way) => ({',
    untrue:
      'return [...combinations].sort((a, b) => Number(b.confirm) - Number(a.confirm)).slice(0, 1).map((way) => ({',
    tells: /^rehearsal: route .* is missed$/,
  },
  {
    what: 'an agent without a time is timed out',
    page: 'src/model/possible-faults.ts',
    line: 'return member.timeLimitMs !== null',
    untrue: 'return true',
    tells: /timed_out is routed and cannot happen$/,
  },
  {
    what: 'a check without a time is timed out',
    page: 'src/runbook/compile/check-step.ts',
    line: "...(timeLimitMs === null ? [] : (['timed_out'] as const)),",
    untrue: "'timed_out',",
    tells: /timed_out is routed and cannot happen$/,
  },
  {
    what: 'an agent of a run without limits is over budget',
    page: 'src/model/possible-faults.ts',
    line: 'return limited',
    untrue: 'return true',
    // It cannot even be rehearsed.
    tells: /worked at out of turn$/,
  },
  {
    what: 'a panel of advisers settles on findings that do not count',
    page: 'src/runbook/compile/steps.ts',
    line: 'if (blocking.length === 0)',
    untrue: 'if (blocking.length < 0)',
    tells: /^certificate: visits .*, reached/,
  },
  {
    what: 'a settled round passes over what a budget pays for, too',
    page: 'src/model/route.ts',
    line: 'const last = arms.length - 1\n',
    untrue: 'const last = arms.length - 1\n  if (settled && canSettle(arms)) return last\n',
    tells: /^rules: .* takes arm 2, and should take 1$/,
  },
]

/** The explorer and all that it judges, with the fault in it. */
export async function withFault({ page, line, untrue }: PutBack): Promise<typeof firstDifference> {
  const changed = resolve(page)
  const text = readFileSync(changed, 'utf8')
  if (text.split(line).length !== 2) throw new Error(`${page} has not exactly one "${line}"`)
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-put-back-'))
  try {
    const outfile = join(folder, 'first-difference.mjs')
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    const { outputFiles } = await build({
      entryPoints: ['test/oracle/first-difference.ts'],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      write: false,
      logLevel: 'warning',
      plugins: [
        {
          name: 'put-back',
          setup: (building) =>
            building.onLoad({ filter: /\.ts$/ }, ({ path }) =>
              path === changed ? { contents: text.replace(line, () => untrue), loader: 'ts' } : null,
            ),
        },
      ],
    })
    writeFileSync(outfile, outputFiles[0]!.text)
    return ((await import(outfile)) as { firstDifference: typeof firstDifference }).firstDifference
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
