/** What waits for a person, and the one of it that is looked at. */
import { Link, useParams } from '@tanstack/react-router'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { signOfDecision } from '../../model/status-sign.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useActionList } from '../action/actions.tsx'
import { useDecision, useDecisions, useLive } from '../live/live.tsx'
import { useSay } from '../ui/notice.tsx'
import { useNow } from '../ui/now.ts'
import { EmptyState, Page, ProblemState } from '../ui/page.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'

export function InboxScreen() {
  const list = useDecisions()
  const { decision } = useParams({ strict: false })
  const now = useNow()
  if (list.kind === 'problem') return <ProblemState problem={list.problem.problem} />
  if (list.kind === 'loading') return null
  const { pending } = list.value
  const id = decision ?? pending[0]?.id
  return (
    <Page title={`${pending.length} wait for you`}>
      <ul>
        {pending.map((row) => (
          <li key={row.id}>
            <StatusShape sign={signOfDecision(row, now)} />{' '}
            <Link to="/inbox/$decision" params={{ decision: row.id }}>
              <SafeText text={row.headline} />
            </Link>
          </li>
        ))}
      </ul>
      {id === undefined ? (
        <EmptyState title="Nothing waits for you">
          <p>What is asked comes here by itself.</p>
        </EmptyState>
      ) : (
        <LoadedCard key={id} id={id} />
      )}
    </Page>
  )
}

function LoadedCard({ id }: { readonly id: string }) {
  const record = useDecision(id)
  if (record.kind === 'problem') return <ProblemState problem={record.problem.problem} />
  return record.kind === 'loading' ? null : <Card record={record.value} />
}

function Card({ record }: { readonly record: DecisionRecord }) {
  const options = useOptionActions(record)
  return (
    <section>
      <h2>
        <SafeText text={record.shown.headline} />
      </h2>
      {options.map((action) => (
        <ActionButton key={action.id} action={action} />
      ))}
    </section>
  )
}

function useOptionActions(record: DecisionRecord): readonly UserAction[] {
  const { ask, decisions, me } = useLive()
  const say = useSay()
  return useActionList(
    () =>
      record.shown.options.map(({ key, label }, index) => ({
        id: `inbox.pick.${key}`,
        label,
        group: 'Answer',
        keys: index < 9 ? [`${index + 1}`] : [],
        available: record.status === 'open',
        run: () => {
          const { id, digest, question } = record
          const by = { kind: 'person', name: me.person } as const
          const body = { pick: key, digest }
          void decisions
            .attempt({
              id,
              expected: () => ({
                type: 'question.answered',
                at: Date.now(),
                question,
                by,
                pick: key,
                note: '',
              }),
              send: () => ask('POST /api/v1/decisions/{id}/answer', { params: { id }, body }),
            })
            .then((problem) => problem !== null && say({ sign: 'fault', text: problem.problem }))
        },
      })),
    [record, ask, decisions, me, say],
  )
}
