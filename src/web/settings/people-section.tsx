/** Who may answer here. The owner can make a link that lets one browser of somebody in. */
import { useMemo, useState } from 'react'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useActions } from '../action/actions.tsx'
import { isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/notice.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './settings-screen.module.css'

interface MadeLink {
  readonly person: string
  readonly address: string
}

export function PeopleSection() {
  const { me } = useLive()
  const [link, setLink] = useState<MadeLink | null>(null)
  const actions = useLinkActions(setLink)
  const others = me.people.length - 1
  return (
    <section aria-label="People">
      <div className={styles.head}>
        <p>
          {others === 0
            ? 'You alone answer here.'
            : `${others === 1 ? 'One person answers' : `${others} people answer`} here beside you.`}
        </p>
      </div>
      <ul className={styles.rows}>
        {me.people.map(({ name, groups }) => (
          <li key={name} className={styles.person}>
            <span className={styles.name}>
              <SafeText text={name} />
              {name === me.person ? <span className={styles.mark}>you</span> : null}
            </span>
            <span className={styles.note}>
              <SafeText text={groups.length === 0 ? 'in no group' : groups.join(', ')} />
            </span>
            <LinkButton action={actions.find(({ id }) => id === `settings.link.${name}`)} />
          </li>
        ))}
      </ul>
      <p className={styles.foot}>
        Who is on the list stands in the owner’s config under <code>people</code>:{' '}
        <code>{'people: { ana: { groups: [leads] } }'}</code>. Whoever leaves it is out at once.
      </p>
      {link === null ? null : <LinkDialog link={link} onClose={() => setLink(null)} />}
    </section>
  )
}

const LinkButton = ({ action }: { readonly action: UserAction | undefined }) =>
  action === undefined ? <span /> : <ActionButton action={action} short="Make a login link" />

function useLinkActions(show: (link: MadeLink) => void): readonly UserAction[] {
  const { ask, me } = useLive()
  const say = useSay()
  const actions = useMemo(
    () =>
      me.isOwner
        ? me.people
            .filter(({ name }) => name !== me.person)
            .map(({ name }) => ({
              id: `settings.link.${name}`,
              label: `Make a login link for ${name}`,
              group: 'Settings',
              keys: [],
              run: () =>
                void ask('POST /api/v1/login/links', { body: { person: name } }).then((answer) => {
                  if (isProblem(answer)) say({ sign: 'fault', text: answer.problem })
                  else show({ person: name, address: `${location.origin}${answer.path}` })
                }),
            }))
        : [],
    [ask, me, say, show],
  )
  useActions(actions)
  return actions
}

function LinkDialog({ link, onClose }: { readonly link: MadeLink; readonly onClose: () => void }) {
  return (
    <Dialog title={`A login link for ${link.person}`} onClose={onClose}>
      <p className={styles.dialogText}>
        It lets one browser in as {link.person}, once, within the hour. Give it to nobody else.
      </p>
      <input
        className={styles.link}
        aria-label="The link"
        readOnly
        data-focus=""
        value={link.address}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
    </Dialog>
  )
}
