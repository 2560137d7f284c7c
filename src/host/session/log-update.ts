/** What an agent says and does, for whoever reads along. */
import type { Update } from '../../drivers/index.ts'
import type { Log } from '../machine/log.ts'
import type { Seat } from './seat.ts'

export function logUpdate(
  log: Log,
  { run, step, visit, agent: who }: Seat & { readonly agent: string },
  update: Update,
): void {
  if (update.kind === 'text' || update.kind === 'thought')
    log.write(run, { step, visit, who, kind: update.kind, text: update.text })
  else if (update.kind === 'tool' && update.status !== 'in_progress')
    log.write(run, { step, visit, who, kind: 'tool', text: `${update.title} (${update.status})` })
}
