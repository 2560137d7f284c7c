/**
 * What a host is in the middle of, read from its record while it lives. It has hands for everything at once, so each duty that
 * is due is being done; one that was put off is not.
 */
import type { Duty, StandaloneDuty } from '../../src/engine/index.ts'
import { openDatabase } from '../../src/journal/sqlite/database.ts'
import { SETUP } from '../../src/runbook/compile/preparation.ts'

/** A flow's setup is a check to the engine, and much more to the host; so is a check that changes issues. */
export type DutyKind = Duty['kind'] | StandaloneDuty['kind'] | 'setup' | 'change-issues'

/** Those of the flows that say `issues: write`. */
export const ISSUE_STEPS: ReadonlySet<string> = new Set(['comment_on_issue', 'file_issue'])

/** Which of the two storms must have killed a host in the middle of it. */
const STORMS: Readonly<Record<DutyKind, readonly Storms[]>> = {
  'prompt-agent': ['runs', 'decisions'],
  'run-gate': ['runs'],
  'run-check': ['runs'],
  'gather-context': ['runs'],
  'wait-until': ['runs', 'decisions'],
  setup: ['runs'],
  'change-issues': ['runs'],
  'deliver-answer': ['decisions'],
  'decision-timer': ['decisions'],
}
type Storms = 'runs' | 'decisions'

export const kindsOf = (storm: Storms): readonly DutyKind[] =>
  (Object.keys(STORMS) as DutyKind[]).filter((kind) => STORMS[kind].includes(storm))

/** These are over in a moment, and when that moment comes is known. */
export const isTimer = (kind: DutyKind): boolean => kind === 'wait-until' || kind === 'decision-timer'

export interface Lookout {
  underWay(now: number): readonly DutyKind[]
  /** When the next of that kind is due; null if none is known. */
  nextDueAt(kind: DutyKind, now: number): number | null
  /** All there is to do, and in how many seconds, for whoever wonders why it is not over. */
  describe(now: number): string
  close(): void
}

interface Due {
  readonly kind: string
  readonly step: string | null
}

export function openLookout(file: string): Lookout {
  return openDatabase({
    file,
    mode: 'read',
    use: (db) => {
      const due = db.prepare(
        "SELECT kind, json_extract(data, '$.step') AS step FROM tickets WHERE due_at <= ? ORDER BY due_at",
      )
      const all = db.prepare('SELECT id, kind, due_at AS at FROM tickets')
      const next = db.prepare('SELECT min(due_at) AS at FROM tickets WHERE kind = ? AND due_at > ?')
      return {
        underWay: (now) => (due.all(now) as unknown as Due[]).map(kindOf),
        nextDueAt: (kind, now) =>
          (next.get(kind, now) as { readonly at: number | null } | undefined)?.at ?? null,
        describe: (now) =>
          (all.all() as unknown as { readonly id: string; readonly kind: string; readonly at: number }[])
            .map(({ id, kind, at }) => `${kind} ${id} in ${Math.round((at - now) / 1000)} s`)
            .join('\n'),
        close: () => db.close(),
      }
    },
  })
}

function kindOf({ kind, step }: Due): DutyKind {
  if (kind !== 'run-check' || step === null) return kind as DutyKind
  return step === SETUP ? 'setup' : ISSUE_STEPS.has(step) ? 'change-issues' : kind
}
