/** Answers that are given without asking anybody, those that people's own answers speak for, and what each would have got wrong. */
import { useMemo, useState } from 'react'
import type { ListedPolicy, PolicyReport, SuggestedPolicy } from '../../model/api/settings.ts'
import type { StatusSign } from '../../model/status-sign.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useActions } from '../action/actions.tsx'
import { useLive } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { useNow } from '../ui/now.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { durationText } from '../ui/time.ts'
import { AskedSection } from './asked-section.tsx'
import { PolicyTrialText } from './policy-trial.tsx'
import { Problems } from './problems.tsx'
import { RatifyDialog } from './ratify-dialog.tsx'
import styles from './settings-screen.module.css'
import { useAsked } from './use-asked.ts'

export function PoliciesSection() {
  const { ask } = useLive()
  const asked = useAsked<PolicyReport>('settings policies', () => ask('GET /api/v1/settings/policies', {}))
  const [ratified, setRatified] = useState<SuggestedPolicy | null>(null)
  const actions = useRatifyActions(valueIn(asked.loaded)?.suggested ?? NONE, setRatified)
  return (
    <AskedSection
      label="Policies"
      asked={asked}
      says={({ file }) => (
        <>
          They stand in <code>{file}</code>; one is ended by taking it out there.
        </>
      )}
      meanwhile="Holding every policy against all that people have answered …"
    >
      {({ problems, policies, suggested }) => (
        <>
          <Problems problems={problems} />
          {problems.length > 0 ? null : <Policies policies={policies} />}
          <Suggested suggested={suggested} actions={actions} />
          {ratified === null ? null : (
            <RatifyDialog
              policy={ratified}
              onDone={() => void asked.refresh()}
              onClose={() => setRatified(null)}
            />
          )}
        </>
      )}
    </AskedSection>
  )
}

const NONE: readonly SuggestedPolicy[] = []

function useRatifyActions(
  suggested: readonly SuggestedPolicy[],
  show: (policy: SuggestedPolicy) => void,
): readonly UserAction[] {
  const { me } = useLive()
  const actions = useMemo(
    () =>
      suggested.map((policy) => ({
        id: `settings.ratify.${policy.name}`,
        label: `Ratify ${policy.name}`,
        group: 'Settings',
        keys: [],
        available: me.isOwner,
        run: () => show(policy),
      })),
    [suggested, me, show],
  )
  useActions(actions)
  return actions
}

const STATE_SIGNS: Readonly<Record<ListedPolicy['state'], StatusSign>> = {
  'in force': 'done',
  incomplete: 'idle',
  expired: 'asleep',
  gone: 'idle',
}

function Policies({ policies }: { readonly policies: readonly ListedPolicy[] }) {
  const now = useNow()
  if (policies.length === 0)
    return <p className={styles.none}>There is none: every question comes to a person.</p>
  return (
    <ul className={styles.rows}>
      {policies.map(({ name, state, until, answer, when, used, lastUsedAt, backTest }) => (
        <li key={name} className={styles.row}>
          <StatusShape sign={STATE_SIGNS[state]} word={state} />
          <div className={styles.about}>
            <h2 className={styles.name}>
              <SafeText text={name} />
              <span className={styles.note}>
                {state}
                {until === null ? '' : ` until ${until}`}
              </span>
            </h2>
            {answer === null ? null : <PolicyRule answer={answer} when={when ?? ''} />}
            <p className={styles.note}>
              {used === 0 ? 'Never used' : `Used ${used === 1 ? 'once' : `${used} times`}`}
              {lastUsedAt === null ? '' : `, last ${durationText(now - lastUsedAt)} ago`}.
            </p>
            {backTest === null ? null : <PolicyTrialText trial={backTest} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

const PolicyRule = ({ answer, when }: { readonly answer: string; readonly when: string }) => (
  <p>
    Answers{' '}
    <b>
      <SafeText text={answer} />
    </b>{' '}
    where <SafeText text={when} />.
  </p>
)

interface SuggestedProps {
  readonly suggested: readonly SuggestedPolicy[]
  readonly actions: readonly UserAction[]
}

function Suggested({ suggested, actions }: SuggestedProps) {
  if (suggested.length === 0)
    return (
      <p className={styles.foot}>
        Where the same question gets the same answer five times in a month, a policy for it is suggested here.
      </p>
    )
  return (
    <>
      <h2 className={styles.part}>What your answers of the last thirty days speak for</h2>
      <ul className={styles.rows}>
        {suggested.map(({ name, answer, when, same, of, backTest }) => (
          <li key={name} className={styles.row}>
            <StatusShape sign="idle" word="suggested" />
            <div className={styles.about}>
              <h3 className={styles.name}>
                <SafeText text={name} />
                <span className={styles.note}>
                  {same} of {of} answers were the same
                </span>
              </h3>
              <PolicyRule answer={answer} when={when} />
              <PolicyTrialText trial={backTest} />
            </div>
            <div className={styles.deed}>
              <RatifyButton action={actions.find(({ id }) => id === `settings.ratify.${name}`)} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

const RatifyButton = ({ action }: { readonly action: UserAction | undefined }) =>
  action === undefined || action.available === false ? null : <ActionButton action={action} short="Ratify" />
