/** An action that another part of the page offers, as a button: it is there while that part is. */
import { ActionButton } from './action-button.tsx'
import { useAllActions } from './actions.tsx'

export function ActionHint({ id, short }: { readonly id: string; readonly short: string }) {
  const action = useAllActions().find((each) => each.id === id)
  return action === undefined ? null : <ActionButton action={action} look="quiet" short={short} />
}
