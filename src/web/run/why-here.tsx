/** Beside the tabs: why the run is where it is, what is left of its bounds, where it can go, and what a person can do about it. */
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RunDetail } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import type { RunMoment } from './moment.view.ts'
import styles from './why-here.module.css'
import { baseText, reasonsOf } from './why-here.view.ts'

export interface WhyHereProps {
  readonly detail: RunDetail
  readonly moment: RunMoment
  readonly program: Program | null
  readonly actions: readonly UserAction[]
}

export function WhyHere({ detail, moment, program, actions }: WhyHereProps) {
  const facts = useMemo(() => reasonsOf(moment, program), [moment, program])
  const base = moment.isNow ? baseText(detail.work) : ''
  const { vars } = detail
  return (
    <aside className={styles.side} aria-label="About this run">
      <h2>Why it is here</h2>
      <dl className={styles.facts}>
        {facts.map(({ name, text }) => (
          <div key={name}>
            <dt>
              <SafeText text={name} />
            </dt>
            <dd>
              <SafeText text={text} />
            </dd>
          </div>
        ))}
        {base === '' ? null : (
          <div>
            <dt>Base</dt>
            <dd>
              <SafeText text={base} />
            </dd>
          </div>
        )}
      </dl>
      {Object.keys(vars).length === 0 ? null : (
        <>
          <h2>Given</h2>
          <dl className={styles.facts}>
            {Object.entries(vars).map(([name, text]) => (
              <div key={name}>
                <dt>
                  <SafeText text={name} />
                </dt>
                <dd>
                  <SafeText text={text} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <h2>What a person can do</h2>
      <div className={styles.actions}>
        {actions
          .filter(({ available = true }) => available)
          .map((action) => (
            <ActionButton key={action.id} action={action} look="quiet" className={styles.action ?? ''} />
          ))}
      </div>
      <Link to="/runs" className={styles.back}>
        All runs
      </Link>
    </aside>
  )
}
