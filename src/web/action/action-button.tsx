/** An action as a button that shows its key. */
import { Button, type ButtonProps } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { isAvailable, type UserAction } from './action.ts'

export interface ActionButtonProps extends Pick<ButtonProps, 'look' | 'className'> {
  readonly action: UserAction
  /** Shorter than the label, where the place says the rest. */
  readonly short?: string
}

export function ActionButton({ action, short, look, className }: ActionButtonProps) {
  const [key] = action.keys
  return (
    <Button
      {...(look === undefined ? {} : { look })}
      {...(className === undefined ? {} : { className })}
      disabled={!isAvailable(action)}
      aria-label={action.label}
      aria-keyshortcuts={key?.replace('mod+', 'Control+')}
      onClick={action.run}
    >
      {key === undefined ? null : <Kbd keys={key} />}
      <span>{short ?? action.label}</span>
    </Button>
  )
}
