/** Every key that does something here, and what. */
import type { UserAction } from '../action/action.ts'
import { useAllActions } from '../action/actions.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import styles from './help.module.css'

export function Help({ onClose }: { readonly onClose: () => void }) {
  const actions = useAllActions().filter(({ keys, isHidden }) => keys.length > 0 && isHidden !== true)
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className={styles.groups}>
        {groupsOf(actions).map(([group, members]) => (
          <section key={group} className={styles.group}>
            <h3>{group}</h3>
            {members.map(({ id, keys, label }) => (
              <div key={id} className={styles.row}>
                <span className={styles.keys}>
                  {keys.map((key) => (
                    <Kbd key={key} keys={key} />
                  ))}
                </span>
                <span>{label}</span>
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** What belongs to the screen comes before what is everywhere. */
export function groupsOf(
  actions: readonly UserAction[],
): readonly (readonly [string, readonly UserAction[]])[] {
  const groups = new Map<string, UserAction[]>()
  for (const action of actions) groups.set(action.group, [...(groups.get(action.group) ?? []), action])
  return [...groups].sort(([one], [other]) => Number(one === 'Everywhere') - Number(other === 'Everywhere'))
}
