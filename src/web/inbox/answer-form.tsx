/** The foot of a card: what goes with an answer, the options, and what else can be done. */
import { type RefObject, useCallback } from 'react'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { ActionHint } from '../action/action-hint.tsx'
import { useRunStory } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { Button } from '../ui/button.tsx'
import { AnswerFields } from './answer-fields.tsx'
import styles from './answer-form.module.css'
import { useAskerRecord } from './asker-record.ts'
import type { AnswerDraft } from './draft.ts'
import { leadText, type OptionGround } from './option.view.ts'
import { CommandsShown, OptionButton } from './option-button.tsx'
import { useProgramOf } from './program-of.ts'

export interface AnswerFormProps {
  readonly record: DecisionRecord
  readonly draft: AnswerDraft
  readonly onDraft: (draft: AnswerDraft) => void
  /** One for each option. */
  readonly picks: readonly UserAction[]
  /** Answers with the words alone; null where only an option will do. */
  readonly words: UserAction | null
  /** Along the foot. */
  readonly others: readonly UserAction[]
  readonly armed: string | null
  readonly missing: readonly string[]
  readonly isNoteOpen: boolean
  readonly noteField: RefObject<HTMLTextAreaElement | null>
}

export function AnswerForm(props: AnswerFormProps) {
  const { record, draft, onDraft, picks, words, others, armed, missing, isNoteOpen, noteField } = props
  const { shown, status } = record
  const ground = useGround(record)
  const askerRecord = useAskerRecord(record)
  const isOpen = status === 'open'
  const onField = useCallback(
    (name: string, text: string) => onDraft({ ...draft, fields: { ...draft.fields, [name]: text } }),
    [draft, onDraft],
  )
  if (!isOpen) return null
  return (
    <section className={styles.foot} aria-label="The answer">
      <div className={styles.column}>
        {shown.fields.length === 0 && !isNoteOpen && draft.edited === null ? null : (
          <div className={styles.form}>
            <AnswerFields
              fields={shown.fields}
              proposed={shown.proposed}
              given={draft.fields}
              missing={missing}
              onChange={onField}
            />
            {draft.edited === null ? null : <EditedOption record={record} draft={draft} onDraft={onDraft} />}
            {isNoteOpen ? (
              <div className={styles.field}>
                <label htmlFor="note">A note that goes with the answer</label>
                <textarea
                  id="note"
                  ref={noteField}
                  rows={2}
                  value={draft.note}
                  onChange={(event) => onDraft({ ...draft, note: event.target.value })}
                />
                {words === null ? null : (
                  <ActionButton action={words} className={styles.words ?? ''} short="Send only the note" />
                )}
              </div>
            ) : null}
          </div>
        )}
        {shown.options.map((option, index) => (
          <OptionButton
            key={option.key}
            option={option}
            action={picks[index]!}
            lead={leadText(option, ground)}
            isRecommended={option.key === shown.recommended}
            isArmed={option.key === armed}
            record={askerRecord}
          />
        ))}
        {shown.runs === undefined ? null : (
          <p>
            Any answer <CommandsShown runs={shown.runs} />
          </p>
        )}
        <div className={styles.keys}>
          {others.map((action) => (
            <ActionButton
              key={action.id}
              action={action}
              look="quiet"
              short={SHORT[action.id] ?? action.label}
            />
          ))}
          {['inbox.next', 'inbox.previous', 'palette'].map((id) => (
            <ActionHint key={id} id={id} short={SHORT[id] ?? ''} />
          ))}
        </div>
      </div>
    </section>
  )
}

const SHORT: Readonly<Record<string, string>> = {
  'inbox.note': 'note',
  'inbox.edit': 'edit',
  'inbox.snooze': 'snooze',
  'inbox.assign': 'assign',
  'inbox.together': 'all of them',
  'inbox.next': 'next',
  'inbox.previous': 'before',
  palette: 'everything',
}

function EditedOption({ record, draft, onDraft }: Pick<AnswerFormProps, 'draft' | 'onDraft' | 'record'>) {
  const { edited } = draft
  if (edited === null) return null
  const label = record.shown.options.find(({ key }) => key === edited.pick)?.label ?? edited.pick
  return (
    <div className={styles.field}>
      <label htmlFor="edited">What “{label}” shall mean instead</label>
      <textarea
        id="edited"
        rows={3}
        value={edited.text}
        onChange={(event) => onDraft({ ...draft, edited: { ...edited, text: event.target.value } })}
      />
      <Button look="quiet" className={styles.words ?? ''} onClick={() => onDraft({ ...draft, edited: null })}>
        Leave it as it was
      </Button>
    </div>
  )
}

/** The run as it stands, for what is left of its bounds; null until it is there, and outside any run. */
function useGround({ run, step, cause }: DecisionRecord): OptionGround | null {
  const loaded = useRunStory(run)
  const story = valueIn(loaded)
  const program = useProgramOf(loaded)
  if (story === null || program === null || step === null || cause === 'agent') return null
  return program.steps[step] === undefined ? null : { program, state: story.state, step }
}
