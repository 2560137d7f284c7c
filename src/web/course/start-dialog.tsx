/** Starts a run: says what will be run before it is, and what is in the way in the host's own words. What was typed stays until it is taken. */
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { StartPlan } from '../../model/api/repositories.ts'
import { certify } from '../../runbook/proof/certificate.ts'
import { isProblem } from '../live/ask.ts'
import { useLive, useRepository } from '../live/live.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/notice.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './course-dialog.module.css'
import { issueIn, orderOf, planFacts, type StartDraft, varFields } from './start.view.ts'
import { StartFields } from './start-fields.tsx'
import { usePreflight } from './use-preflight.ts'

export interface StartDialogProps {
  readonly initial: StartDraft
  readonly onClose: () => void
}

export function StartDialog({ initial, onClose }: StartDialogProps) {
  const [draft, setDraft] = useState<StartDraft>(initial)
  const look = useRepository(draft.dir)
  const { plan, problem, lookAgain } = usePreflight(draft)
  const { isBusy, refused, start } = useStart({ draft, plan, onDraft: setDraft, onClose })
  const isSaid = draft.on.kind !== 'text' || issueIn(draft.on.text).title !== ''
  const inTheWay = refused ?? problem ?? plan?.problems ?? []
  // What was refused may do by now: the host judges it again.
  const isReady = isSaid && !isBusy && plan !== null && (inTheWay.length === 0 || refused !== null)
  return (
    <Dialog title="Start a run" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) void start()
        }}
        onKeyDown={(event) => {
          const { key, ctrlKey, metaKey, target } = event
          if (key !== 'Enter' || !(target instanceof HTMLSelectElement || ctrlKey || metaKey)) return
          event.preventDefault()
          event.currentTarget.requestSubmit()
        }}
      >
        <StartFields
          draft={draft}
          look={look}
          vars={varFields(plan?.program ?? null, draft.on)}
          onChange={setDraft}
        />
        {inTheWay.length > 0 ? (
          <InTheWay
            head={refused === null ? 'As it is, it would not be started:' : 'The run was not started:'}
            problems={inTheWay}
          />
        ) : draft.runbook === '' ? (
          <p className={styles.will}>Choose a runbook to see what will be run.</p>
        ) : plan === null ? (
          <Skeleton height={96} />
        ) : (
          <WhatWillBeRun plan={plan} isText={draft.on.kind === 'text'} />
        )}
        <div className={styles.buttons}>
          {inTheWay.length > 0 ? <Button onClick={lookAgain}>Look again</Button> : null}
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={!isReady}>
            Start it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function WhatWillBeRun({ plan, isText }: { readonly plan: StartPlan; readonly isText: boolean }) {
  const { program, issue } = plan
  const certificate = useMemo(() => (program === null ? null : certify(program)), [program])
  return (
    <section aria-label="What will be run">
      <dl className={styles.facts}>
        {planFacts(plan, certificate).map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <SafeText text={text} />
            </dd>
          </div>
        ))}
      </dl>
      {issue === null || issue.body === '' ? null : (
        <details className={styles.more}>
          <summary>What the issue says</summary>
          <p className={styles.body}>
            <SafeText text={issue.body} />
          </p>
        </details>
      )}
      <p className={styles.will}>
        {isText ? 'The text is filed as a new issue first. ' : ''}It works on a branch and in a worktree of
        its own; your checkout stays as it is.
      </p>
    </section>
  )
}

function InTheWay({ head, problems }: { readonly head: string; readonly problems: readonly string[] }) {
  return (
    <div className={styles.problem} role="alert">
      <p>{head}</p>
      <ul className={styles.problems}>
        {problems.map((each) => (
          <li key={each}>
            <span aria-hidden="true">✗ </span>
            <SafeText text={each} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface Starting {
  readonly draft: StartDraft
  readonly plan: StartPlan | null
  readonly onDraft: (draft: StartDraft) => void
  readonly onClose: () => void
}

function useStart({ draft, plan, onDraft, onClose }: Starting) {
  const { ask, repositories } = useLive()
  const say = useSay()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{
    readonly draft: StartDraft
    readonly problems: readonly string[]
  } | null>(null)
  const start = async (): Promise<void> => {
    setBusy(true)
    const { dir, on } = draft
    const filed =
      on.kind === 'text'
        ? await ask('POST /api/v1/repositories/issues', { body: { dir, ...issueIn(on.text) } })
        : null
    const isFiled = filed !== null && !isProblem(filed)
    // It is there now, and a second try must not file it again.
    const next: StartDraft = isFiled ? { ...draft, on: { kind: 'issue', id: filed.id } } : draft
    if (isFiled) {
      onDraft(next)
      repositories.lookAgain()
    }
    const body = orderOf(next, plan?.program ?? null)
    const started = isProblem(filed) ? filed : await ask('POST /api/v1/runs', { body })
    setBusy(false)
    if (isProblem(started))
      return setRefused({ draft: next, problems: started.problems ?? [started.problem] })
    onClose()
    say({ sign: 'done', text: `Run ${started.run} has begun.` })
    const flow = plan?.program?.name
    if (flow !== undefined) void navigate({ to: '/board/$flow', params: { flow }, search: { repo: dir } })
  }
  // What is changed afterwards is another start.
  const isOfThis = refused !== null && JSON.stringify(refused.draft) === JSON.stringify(draft)
  return { isBusy, start, refused: isOfThis ? refused.problems : null }
}
