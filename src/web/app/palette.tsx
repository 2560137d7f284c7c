/** Everything that can be done here, by its name; and the key that does it without a palette. */
import { Command } from 'cmdk'
import { isAvailable } from '../action/action.ts'
import { useAllActions } from '../action/actions.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { groupsOf } from './help.tsx'
import styles from './palette.module.css'

export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const actions = useAllActions().filter(
    (action) => isAvailable(action) && action.isHidden !== true && action.id !== 'palette',
  )
  return (
    <Dialog title="Everything that can be done" isTitleShown="heard" onClose={onClose}>
      <Command className={styles.palette} label="Everything that can be done" loop>
        <Command.Input placeholder="What do you want to do?" data-focus="" />
        <Command.List>
          <Command.Empty>Nothing here is called so.</Command.Empty>
          {groupsOf(actions).map(([group, members]) => (
            <Command.Group key={group} heading={group}>
              {members.map(({ id, label, keys, run }) => (
                <Command.Item
                  key={id}
                  value={`${label} ${id}`}
                  onSelect={() => {
                    onClose()
                    run()
                  }}
                >
                  <span>{label}</span>
                  {keys[0] === undefined ? null : <Kbd keys={keys[0]} />}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}
