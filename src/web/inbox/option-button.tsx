/** An option: its key, what it is called, where it leads, whether it can be undone, how sure whoever recommends it is, and what it has run. */
import type { ShownCommand, ShownOption } from '../../model/decision-record.ts'
import type { UserAction } from '../action/action.ts'
import { Kbd } from '../ui/kbd.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './answer-form.module.css'

export interface OptionButtonProps {
  readonly option: ShownOption
  readonly action: UserAction
  readonly lead: string
  readonly isRecommended: boolean
  /** Picked once, and not yet meant: it cannot be undone. */
  readonly isArmed: boolean
  /** How often its asker was right, in words; empty where nobody knows. */
  readonly record: string
}

export function OptionButton({ option, action, lead, isRecommended, isArmed, record }: OptionButtonProps) {
  const { label, body, reversible, confidence, runs = [] } = option
  const [key] = action.keys
  const says = body === label ? '' : body
  const isShort = says.length <= ONE_LINE && !says.includes('\n')
  const line = [isArmed ? `Again, and it is done: ${lead}` : lead, isShort ? says : '']
    .filter((text) => text !== '')
    .join(' · ')
  const looks = [styles.option, isRecommended ? styles.recommended : '', isArmed ? styles.armed : ''].join(
    ' ',
  )
  const sure = [
    ...(isRecommended
      ? [confidence === null ? 'recommended' : `recommended, ${percent(confidence)} sure`]
      : []),
    ...(!isRecommended && confidence !== null ? [`${percent(confidence)} sure`] : []),
    ...(isRecommended && record !== '' ? [record] : []),
  ]
  return (
    <button
      type="button"
      className={looks}
      disabled={action.available === false}
      data-option={option.key}
      aria-keyshortcuts={key}
      onClick={action.run}
    >
      {key === undefined ? <span /> : <Kbd keys={key} />}
      <span className={styles.label}>
        <SafeText text={label} />
      </span>
      <span className={styles.to}>
        <SafeText text={line} />
      </span>
      <span className={styles.sure}>
        {sure.map((text) => (
          <span key={text}>
            {text}
            <br />
          </span>
        ))}
        {reversible ? null : <span className={styles.final}>cannot be undone</span>}
      </span>
      {isShort ? null : (
        <span className={styles.say}>
          <SafeText text={says} />
        </span>
      )}
      <CommandsShown runs={runs} />
    </button>
  )
}

/** As much as stands beside the label. */
const ONE_LINE = 70

/** Every command that an answer will have run, never cut. */
export function CommandsShown({ runs }: { readonly runs: readonly ShownCommand[] }) {
  return runs.map(({ command, step, folder, held }) => (
    <span key={`${step} ${folder} ${command}`} className={styles.runs}>
      runs{' '}
      <code>
        <SafeText text={command} />
      </code>
      <span className={styles.to}>
        {step === '' ? '' : ` at ${step}`}
        {folder === '' ? '' : ` in ${folder}`}
        {held === 'none' ? ', outside any sandbox' : ''}
      </span>
    </span>
  ))
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
