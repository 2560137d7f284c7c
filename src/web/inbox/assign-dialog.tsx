/** Whom a decision lies with. */
import { useMe } from '../live/live.tsx'
import { ChoiceDialog } from './choice-dialog.tsx'

export interface AssignDialogProps {
  readonly onClose: () => void
  /** Null: whoever is there. */
  readonly onAssign: (to: string | null) => void
}

export function AssignDialog({ onClose, onAssign }: AssignDialogProps) {
  const { people, person } = useMe()
  const groups = [...new Set(people.flatMap((each) => each.groups))]
  const choices = [
    ...people.map(({ name }) => ({
      label: name === person ? `${name} (you)` : name,
      choose: () => onAssign(name),
    })),
    ...groups.map((group) => ({ label: `@${group}`, choose: () => onAssign(`@${group}`) })),
    { label: 'Whoever is there', choose: () => onAssign(null) },
  ]
  return <ChoiceDialog title="Give it to somebody" choices={choices} onClose={onClose} />
}
