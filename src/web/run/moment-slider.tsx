/** A slider over the journal: the run as it was at any moment. */
import type { UserAction } from '../action/action.ts'
import { useActionList } from '../action/actions.tsx'
import { Button } from '../ui/button.tsx'
import { secondsText } from '../ui/time.ts'
import type { RunMoment } from './moment.view.ts'
import styles from './moment-slider.module.css'

export interface MomentSliderProps {
  readonly moment: RunMoment
  /** Null: now. */
  readonly onMoment: (version: number | null) => void
}

export function MomentSlider({ moment, onMoment }: MomentSliderProps) {
  const { version, latest, isNow, at } = moment
  const to = (next: number): void => onMoment(next >= latest ? null : Math.max(1, next))
  useActionList(
    (): readonly UserAction[] => [
      {
        id: 'run.before',
        label: 'The moment before',
        group: 'Run',
        keys: ['['],
        available: version > 1,
        run: () => to(version - 1),
      },
      {
        id: 'run.after',
        label: 'The moment after',
        group: 'Run',
        keys: [']'],
        available: !isNow,
        run: () => to(version + 1),
      },
      {
        id: 'run.now',
        label: 'Now',
        group: 'Run',
        keys: ['.'],
        available: !isNow,
        run: () => onMoment(null),
      },
    ],
    [version, latest, isNow, onMoment],
  )
  return (
    <div className={`${styles.slider} ${isNow ? '' : (styles.then ?? '')}`}>
      <input
        type="range"
        min={1}
        max={Math.max(1, latest)}
        value={version}
        aria-label="The moment that is looked at"
        aria-valuetext={`event ${version} of ${latest}, ${secondsText(at)}`}
        onChange={(event) => to(Number(event.target.value))}
      />
      <span className={styles.text}>
        {isNow
          ? `Now, after ${latest} events`
          : `As it was at ${secondsText(at)}, after ${version} of ${latest} events`}
      </span>
      {isNow ? null : (
        <Button look="quiet" onClick={() => onMoment(null)}>
          Back to now
        </Button>
      )}
    </div>
  )
}
