/** A thin line that says when the host is gone, and what still works. */
import { useConnection } from '../live/live.tsx'
import { clockText } from '../ui/time.ts'

export function ConnectionLine({ className }: { readonly className: string }) {
  const connection = useConnection()
  return (
    <div role="status" className={connection.kind === 'lost' ? className : undefined}>
      {connection.kind === 'lost'
        ? `The host is away since ${clockText(connection.since, Date.now())}. What is here can be read, and what you type is kept; it goes on by itself when the host is back.`
        : null}
    </div>
  )
}
