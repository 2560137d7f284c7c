/** What speaks for an answer to a run's question: each in a line, and whole where it is opened. */
import { type ReactNode, useState } from 'react'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { useAskedOnce, useLive, useRunStory } from '../live/live.tsx'
import { AnsiText } from '../ui/ansi.tsx'
import { DiffView } from '../ui/diff.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusShape } from '../ui/status.tsx'
import cardStyles from './card.module.css'
import { type CardEvidence, type ChangeSize, evidenceIn } from './evidence.view.ts'
import styles from './evidence-facts.module.css'
import { useProgramOf } from './program-of.ts'

export function EvidenceFacts({ record: { run } }: { readonly record: DecisionRecord }) {
  const story = useRunStory(run)
  const program = useProgramOf(story)
  if (run === null || story.kind === 'problem') return null
  if (story.kind === 'loading')
    return (
      <section>
        <h3 className={cardStyles.title}>Evidence</h3>
        <Skeleton width="60%" />
        <Skeleton width="70%" />
      </section>
    )
  const { change, gate, way, spent } = evidenceIn(story.value, program)
  if (change === null && gate === null && way.length === 0) return null
  return <Facts key={change?.commit ?? ''} run={run} evidence={{ change, gate, way, spent }} />
}

/** Lines that need no folding. */
const SMALL = 40

function Facts({ run, evidence }: { readonly run: string; readonly evidence: CardEvidence }) {
  const { change, gate, way, spent } = evidence
  const [isDiffOpen, setDiffOpen] = useState(change !== null && change.added + change.removed <= SMALL)
  const [isGateOpen, setGateOpen] = useState(gate?.isPassed === false)
  return (
    <section>
      <h3 className={cardStyles.title}>Evidence</h3>
      <dl className={styles.facts}>
        {change === null ? null : (
          <Fact name="Change">
            <Unfold isOpen={isDiffOpen} onToggle={setDiffOpen}>
              {change.files} {change.files === 1 ? 'file' : 'files'}
            </Unfold>
            , <span className={styles.added}>+{change.added}</span>{' '}
            <span className={styles.removed}>−{change.removed}</span> at{' '}
            <code>{change.commit.slice(0, 8)}</code>
          </Fact>
        )}
        {gate === null ? null : (
          <Fact name="Gate">
            <StatusShape sign={gate.isPassed ? 'done' : 'fault'} word={gate.isPassed ? 'passed' : 'failed'} />{' '}
            <Unfold isOpen={isGateOpen} onToggle={setGateOpen}>
              <SafeText text={gate.line === '' ? 'passed' : gate.line} />
            </Unfold>
            {gate.commit === null ? null : (
              <>
                , clean checkout of <code>{gate.commit.slice(0, 8)}</code>
              </>
            )}
            {gate.redefined.length === 0 ? null : (
              <SafeText text={`, by files that the run changed: ${gate.redefined.join(', ')}`} />
            )}
            {gate.isBeside ? ', beside files that agents can change' : ''}
          </Fact>
        )}
        {way.length === 0 ? null : (
          <Fact name="The way here">
            <SafeText text={way.join(' → ')} />
          </Fact>
        )}
        {spent === null ? null : <Fact name="Spent">{spent}</Fact>}
      </dl>
      {gate !== null && isGateOpen ? <AnsiText text={gate.output.trimEnd()} /> : null}
      {change !== null && isDiffOpen ? <RunDiff run={run} change={change} /> : null}
    </section>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** A word that opens what stands behind it, below the facts. */
function Unfold({
  isOpen,
  onToggle,
  children,
}: {
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className={styles.open} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
      {children} {isOpen ? '▾' : '▸'}
    </button>
  )
}

/** As one patch. */
const WHOLE = { steps: false, stat: false } as const

function RunDiff({ run, change }: { readonly run: string; readonly change: ChangeSize }) {
  const { ask } = useLive()
  const { commit, diffstat } = change
  const patch = useAskedOnce(`patch ${run} ${commit}`, () =>
    ask('GET /api/v1/runs/{run}/diff', { params: { run }, query: { ...WHOLE, to: commit } }),
  )
  if (patch.kind === 'loading') return <Skeleton height={80} />
  // Where the change itself is gone, what git said of it is in the journal.
  const text = patch.kind === 'there' ? (patch.value.parts[0]?.text ?? '') : ''
  return text === '' ? <PlainText text={diffstat} /> : <DiffView text={text} />
}
