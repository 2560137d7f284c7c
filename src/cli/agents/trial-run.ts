/** The run of a trial, attended: its questions are answered as a person would, and it does not go on for ever. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Operations } from '../../host/operations.ts'
import type { Decision } from '../../model/decision.ts'
import type { RunEvent } from '../../model/event.ts'
import { openIn } from '../decision/find.ts'
import { NOTE } from './trial-project.ts'
import type { TrialText } from './trial-text.ts'
import { isPermission, type TrialEnd, type Verdict } from './trial-verdict.ts'

export interface TrialRun {
  readonly operations: Operations
  readonly run: string
  readonly repo: string
  readonly verdict: Verdict
  readonly text: TrialText
  readonly limitMs: number
  readonly signal: AbortSignal
}

export async function attendTrial(attending: TrialRun): Promise<TrialEnd> {
  const { operations, run, verdict, signal, limitMs } = attending
  let version = 0
  let picked: string | null = null
  let wake = (): void => {}
  const stopFollowing = operations.follow(() => wake())
  const late = AbortSignal.timeout(limitMs)
  const over = AbortSignal.any([signal, late])
  over.addEventListener('abort', () => wake(), { once: true })
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      if (over.aborted) {
        await conclude(attending, picked)
        return signal.aborted ? 'interrupted' : 'late'
      }
      for (const stored of await operations.events(run, version)) {
        version = stored.version
        const event = stored.data as RunEvent
        verdict.see(event)
        if (event.type === 'question.opened') picked = (await answer(attending, event)) ?? picked
        if (event.type === 'run.ended') {
          await conclude(attending, picked)
          return 'ended'
        }
        if (event.type === 'attempt.parked' || (event.type === 'question.opened' && event.cause !== 'agent'))
          return 'stuck'
      }
      await woken
    }
  } finally {
    stopFollowing()
  }
}

/** What was picked of an agent's own decision; null for anything else. */
async function answer(
  { operations, run, text }: TrialRun,
  { question, decision }: Extract<RunEvent, { type: 'question.opened' }>,
): Promise<string | null> {
  if (decision === null) return null
  const asksPermission = isPermission(decision)
  const value = asksPermission ? 'allow_once' : pickOf(decision)
  text.note(asksPermission ? `asks permission: ${decision.headline} (allowed once)` : `is answered: ${value}`)
  const record = (await openIn(operations, run)).find((asked) => asked.question === question)
  if (record !== undefined) {
    const { id, digest } = record
    const plain = { note: '', fields: {}, edited: null, together: false } as const
    await operations.decisions.answer(id, { pick: value, digest, ...plain })
  }
  return asksPermission ? null : value
}

/** Not what it would have done anyhow: that would show nothing. */
function pickOf({ options, recommended }: Decision): string {
  const others = options.filter(({ key }) => key !== recommended)
  return (others.at(-1) ?? options[0])?.key ?? ''
}

async function conclude({ operations, run, repo, verdict }: TrialRun, picked: string | null): Promise<void> {
  const detail = await operations.show(run)
  const written = 'problem' in detail ? null : await fileOn(repo, detail.placement.branch)
  verdict.conclude({ written, picked })
}

async function fileOn(repo: string, branch: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['show', `${branch}:${NOTE}`], { cwd: repo })
    return stdout
  } catch {
    return null
  }
}
