/**
 * Runs the tests on the code as it is without the work, and holds what comes of it against what was handed over. Where tests are
 * written again after the work was done, the work is taken out first: tests that were never seen to fail say nothing.
 */
import { spawnSync } from 'node:child_process'
import { lastCharacters } from '../../model/characters.ts'
import { git } from './clean-git.ts'
import { lastLeft, type OwnRecord } from './own-record.ts'
import { type Redness, rednessOf } from './red.ts'

export interface RedRequest {
  /** For `sh`. */
  readonly command: string
  /** The step that handed the tests over. */
  readonly step: string
  /** The steps whose work is taken out. */
  readonly undone: readonly string[]
}

/** What the exit code says. */
export const RED_EXITS: Readonly<Record<Redness['kind'], number>> = { red: 0, passes: 20, otherwise: 21 }

const MOST_BYTES = 256 * 1024 * 1024

/** The verdict comes last: of a long output the end is kept. */
export function verifyRed(
  record: OwnRecord,
  { command, step, undone }: RedRequest,
): { readonly redness: Redness; readonly text: string } {
  const fields = lastLeft(record.events, step)?.answer?.fields ?? {}
  const tests = Array.isArray(fields['tests']) ? (fields['tests'] as readonly string[]) : []
  const failure = typeof fields['failure'] === 'string' ? fields['failure'] : ''
  const taken = takeOut(record, undone)
  if (taken !== null) return told({ kind: 'otherwise', why: taken }, '')
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = `${stdout}\n${stderr}`
  return told(rednessOf({ exitCode: status, output }, { tests, failure }), output)
}

const told = (redness: Redness, output: string): { readonly redness: Redness; readonly text: string } => ({
  redness,
  text: `${lastCharacters(output.trim(), 2500)}\n\n${sentenceOf(redness)}`.trim(),
})

function sentenceOf(redness: Redness): string {
  switch (redness.kind) {
    case 'red':
      return 'Every new test fails, and as it was said.'
    case 'passes':
      return `These pass although the work is not done, so they do not test it: ${redness.tests.join(', ')}.`
    case 'otherwise':
      return redness.why
  }
}

/** Null where it went well. Newest first, each as the change it was. */
function takeOut({ events, placement }: OwnRecord, undone: readonly string[]): string | null {
  let before = placement.baseCommit
  const works: { readonly from: string; readonly to: string }[] = []
  for (const event of events) {
    if (event.type !== 'work.committed' && event.type !== 'base.merged') continue
    if (event.type === 'work.committed' && undone.includes(event.step))
      works.push({ from: before, to: event.commit })
    before = event.commit
  }
  for (const { from, to } of works.reverse()) {
    const patch = git(['diff', '--binary', '--full-index', '--no-renames', from, to])
    if ('problem' in patch) return `The work cannot be taken out of the code: ${patch.problem}`
    if (patch.output === '') continue
    const applied = git(['apply', '-R', '--3way', '--index', '--whitespace=nowarn', '-'], patch.output)
    if ('problem' in applied)
      return `The tests cannot be held against the code as it is without the work: both changed the same lines. ${applied.problem}`
  }
  return null
}
