/** Under the axis: one tab for each thing there is to know of the moment that is looked at. */
import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { BriefTab } from './brief-tab.tsx'
import { CostTab } from './cost-tab.tsx'
import { DecisionsTab } from './decisions-tab.tsx'
import { EvidenceTab } from './evidence-tab.tsx'
import { HandoffsTab } from './handoffs-tab.tsx'
import { LogTab } from './log-tab.tsx'
import { RUN_TABS, type RunTab } from './place.ts'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'
import { lastCommit } from './work.view.ts'

const DiffTab = lazy(() => import('./diff-tab.tsx'))

export interface RunTabsProps extends TabProps {
  readonly tab: RunTab
  readonly onTab: (tab: RunTab) => void
}

export function RunTabs({ detail, moment, tab, onTab }: RunTabsProps) {
  const questions = moment.events.filter(({ event }) => event.type === 'question.opened').length
  const commit = lastCommit(moment.events)
  const labels: Readonly<Record<RunTab, string>> = {
    log: 'Log',
    diff: commit === null ? 'Diff' : `Diff at ${commit.slice(0, 7)}`,
    brief: 'Brief',
    evidence: 'Evidence',
    handoffs: 'Handoffs',
    decisions: questions === 0 ? 'Decisions' : `Decisions ${questions}`,
    cost: 'Cost',
  }
  return (
    <section className={styles.tabs}>
      <div role="tablist" aria-label="About this moment" className={styles.list}>
        {RUN_TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`run-tab-${name}`}
            aria-selected={name === tab}
            aria-controls="run-panel"
            tabIndex={name === tab ? 0 : -1}
            className={styles.tab}
            onClick={() => onTab(name)}
            onKeyDown={({ key }) => {
              const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
              if (step === 0) return
              const next = RUN_TABS[(RUN_TABS.indexOf(name) + step + RUN_TABS.length) % RUN_TABS.length]!
              onTab(next)
              document.getElementById(`run-tab-${next}`)?.focus()
            }}
          >
            {labels[name]}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id="run-panel"
        aria-labelledby={`run-tab-${tab}`}
        className={styles.panel}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
      >
        <h2 className="unseen">{labels[tab]}</h2>
        <Suspense fallback={<Skeleton height={120} />}>{panelOf(tab, { detail, moment })}</Suspense>
      </div>
    </section>
  )
}

function panelOf(tab: RunTab, props: TabProps): ReactNode {
  switch (tab) {
    case 'log':
      return <LogTab {...props} />
    case 'diff':
      return <DiffTab {...props} />
    case 'brief':
      return <BriefTab {...props} />
    case 'evidence':
      return <EvidenceTab {...props} />
    case 'handoffs':
      return <HandoffsTab {...props} />
    case 'decisions':
      return <DecisionsTab {...props} />
    case 'cost':
      return <CostTab {...props} />
  }
}
