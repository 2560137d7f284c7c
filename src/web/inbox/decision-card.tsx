/** One decision and everything that can be done about it. */
import { type RefObject, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { fieldsNeeded } from '../../model/field-values.ts'
import type { UserAction } from '../action/action.ts'
import { useActionList } from '../action/actions.tsx'
import { useDecision, useMe, useOthersAt } from '../live/live.tsx'
import { ProblemState } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AnswerForm } from './answer-form.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import styles from './card.module.css'
import { CardBody } from './card.tsx'
import { ChoiceDialog } from './choice-dialog.tsx'
import type { ListLine } from './decision-list.view.ts'
import type { AnswerDraft, Drafts } from './draft.ts'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { type DecisionDeeds, useDeeds } from './use-answers.ts'

export interface DecisionCardProps {
  readonly id: string
  readonly lines: readonly ListLine[]
  readonly drafts: Drafts
  /** These are dealt with: go on. */
  readonly onDone: (ids: readonly string[]) => void
}

export function DecisionCard({ id, ...rest }: DecisionCardProps) {
  const loaded = useDecision(id)
  switch (loaded.kind) {
    case 'loading':
      return (
        <div className={styles.body} aria-busy="true">
          <Skeleton width="30%" />
          <Skeleton width="60%" height={24} />
          <Skeleton width="80%" />
        </div>
      )
    case 'problem':
      return <ProblemState problem={loaded.problem.problem} />
    case 'there':
      return <OpenCard record={loaded.value} {...rest} />
  }
}

interface OpenCardProps extends Omit<DecisionCardProps, 'id'> {
  readonly record: DecisionRecord
}

type OpenDialog = 'assign' | 'edit' | 'snooze' | null

function OpenCard({ record, lines, drafts, onDone }: OpenCardProps) {
  const { id } = record
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [isNoteOpen, setNoteOpen] = useState(drafts.of(id).note !== '')
  const [armed, setArmed] = useState<string | null>(null)
  const [missing, setMissing] = useState<readonly string[]>([])
  const [isTogether, setTogether] = useState(false)
  const noteField = useRef<HTMLTextAreaElement>(null)
  const card = useRef<HTMLElement>(null)
  const deeds = useDeeds()
  const others = useOthersAt(`decision/${id}`)
  const draft = drafts.of(id)
  const change = (next: AnswerDraft): void => drafts.change(id, next)
  const group = useMemo(() => lines.find(({ ids }) => ids.includes(id))?.ids ?? [id], [lines, id])
  const send = (pick: string): void => {
    const all = isTogether ? group : [id]
    onDone(all)
    void deeds.answer({ record, pick, draft, isTogether }).then((isTaken) => {
      if (isTaken) for (const each of all) drafts.change(each, null)
    })
  }
  const pick = (key: string): void => {
    const lacking = fieldsNeeded(record.shown, key).filter(
      ({ name }) => (draft.fields[name] ?? '').trim() === '',
    )
    setMissing(lacking.map(({ name }) => name))
    if (lacking[0] !== undefined) {
      document.getElementById(`field-${lacking[0].name}`)?.focus()
      return
    }
    const option = record.shown.options.find((each) => each.key === key)
    if (option?.reversible === false && armed !== key) setArmed(key)
    else send(key)
  }
  const parts: CardParts = { record, draft, card, pick, send, group, armed, isTogether, setTogether, deeds }
  const actions = useCardActions(parts, {
    openNote: () => {
      // At once: the next key is a letter of the note, and no answer.
      flushSync(() => setNoteOpen(true))
      noteField.current?.focus()
    },
    open: setDialog,
    disarm: () => {
      setArmed(null)
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    },
  })
  const close = (): void => setDialog(null)
  return (
    <article ref={card} className={styles.card}>
      <CardBody record={record} others={others} />
      <AnswerForm
        record={record}
        draft={draft}
        onDraft={change}
        picks={actions.picks}
        words={actions.words}
        others={actions.others}
        armed={armed}
        missing={missing}
        isNoteOpen={isNoteOpen}
        noteField={noteField}
      />
      {dialog === 'snooze' ? (
        <SnoozeDialog
          isAsleep={record.snoozedUntil !== null}
          onClose={close}
          onSnooze={(until) => {
            if (until !== null) onDone([id])
            void deeds.snooze(record, until)
          }}
        />
      ) : null}
      {dialog === 'assign' ? (
        <AssignDialog onClose={close} onAssign={(to) => void deeds.assign(record, to)} />
      ) : null}
      {dialog === 'edit' ? (
        <ChoiceDialog
          title="Which option shall mean something else?"
          onClose={close}
          choices={record.shown.options.map(({ key, label, body }) => ({
            label,
            choose: () => {
              flushSync(() => change({ ...draft, edited: { pick: key, text: body } }))
              document.getElementById('edited')?.focus()
            },
          }))}
        />
      ) : null}
    </article>
  )
}

interface CardParts {
  readonly record: DecisionRecord
  readonly draft: AnswerDraft
  readonly card: RefObject<HTMLElement | null>
  readonly pick: (key: string) => void
  readonly send: (key: string) => void
  readonly group: readonly string[]
  readonly armed: string | null
  readonly isTogether: boolean
  readonly setTogether: (isTogether: boolean) => void
  readonly deeds: DecisionDeeds
}

interface CardWays {
  readonly openNote: () => void
  readonly open: (dialog: OpenDialog) => void
  readonly disarm: () => void
}

interface CardActions {
  readonly picks: readonly UserAction[]
  readonly words: UserAction | null
  readonly others: readonly UserAction[]
}

function useCardActions(parts: CardParts, ways: CardWays): CardActions {
  const { record, draft, card, pick, send, group, isTogether, setTogether, deeds } = parts
  const { shown, status, cause } = record
  const isOpen = status === 'open'
  const canArrange = useMe().may.includes('arrange')
  const picks: readonly UserAction[] = shown.options.map(({ key, label }, index) => ({
    id: `inbox.pick.${key}`,
    label: isTogether ? `${label}, for all ${group.length}` : label,
    group: 'Answer',
    keys: index < 9 ? [`${index + 1}`] : [],
    available: isOpen,
    run: () => pick(key),
  }))
  const takesWords = isOpen && (cause === 'agent' || cause === 'outside')
  const words: UserAction | null = takesWords
    ? {
        id: 'inbox.words',
        label: 'Answer with the note alone',
        group: 'Answer',
        keys: ['mod+enter'],
        available: draft.note.trim() !== '',
        run: () => send(''),
      }
    : null
  const heading = 'This decision'
  const others: readonly UserAction[] = [
    {
      id: 'inbox.note',
      label: 'Write a note',
      group: heading,
      keys: ['n'],
      available: isOpen,
      run: ways.openNote,
    },
    {
      id: 'inbox.edit',
      label: 'Change what an option means',
      group: heading,
      keys: ['e'],
      available: isOpen,
      run: () => ways.open('edit'),
    },
    {
      id: 'inbox.snooze',
      label: 'Put it off',
      group: heading,
      keys: ['s'],
      available: isOpen && canArrange,
      run: () => ways.open('snooze'),
    },
    {
      id: 'inbox.assign',
      label: 'Give it to somebody',
      group: heading,
      keys: ['a'],
      available: isOpen && canArrange,
      run: () => ways.open('assign'),
    },
    ...(group.length > 1
      ? [
          {
            id: 'inbox.together',
            label: isTogether ? 'Answer only this one' : `Answer all ${group.length} that ask the same`,
            group: heading,
            keys: ['t'],
            available: isOpen,
            run: () => setTogether(!isTogether),
          },
        ]
      : []),
    ...(status === 'undeliverable'
      ? [
          {
            id: 'inbox.retry',
            label: 'Deliver the answer again',
            group: heading,
            keys: ['r'],
            available: canArrange,
            run: () => void deeds.retry(record),
          },
        ]
      : []),
  ]
  const unseen: readonly UserAction[] = [
    {
      id: 'inbox.enter',
      label: 'To the options',
      group: heading,
      keys: ['Enter'],
      available: isOpen,
      run: () => {
        const wanted = shown.recommended ?? shown.options[0]?.key ?? ''
        card.current?.querySelector<HTMLElement>(`[data-option="${CSS.escape(wanted)}"]`)?.focus()
      },
    },
    {
      id: 'inbox.leave',
      label: 'Leave what is typed or picked',
      group: heading,
      keys: ['Escape'],
      run: ways.disarm,
    },
  ]
  // Each of them stands on these alone; the rest of what they use stays what it is.
  useActionList(
    () => [...picks, ...(words === null ? [] : [words]), ...others, ...unseen],
    [record, draft, group, isTogether, parts.armed],
  )
  return { picks, words, others }
}
