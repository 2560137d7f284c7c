/** What an agent says and does, for whoever reads along. What is said of a call again and again is said once. */
import type { Update } from '../../drivers/index.ts'
import type { Log } from '../machine/log.ts'
import type { Seat } from './seat.ts'

/** So many calls are remembered; one that comes again after that is told again. */
const MOST_CALLS = 500

export function createUpdateLog(
  log: Log,
  { run, step, visit, agent: who }: Seat & { readonly agent: string },
): (update: Update) => void {
  const told = new Map<string, string>()
  const isNews = (id: string, text: string): boolean => {
    if (told.get(id) === text) return false
    told.delete(id)
    told.set(id, text)
    for (const oldest of told.keys()) {
      if (told.size <= MOST_CALLS) break
      told.delete(oldest)
    }
    return true
  }
  return (update) => {
    if (update.kind === 'text' || update.kind === 'thought')
      log.write(run, { step, visit, who, kind: update.kind, text: update.text })
    else if (update.kind === 'tool' && update.status !== 'in_progress') {
      const text = `${update.title.slice(0, LONGEST_TITLE)} (${update.status})`
      if (isNews(update.id.slice(0, LONGEST_TITLE), text))
        log.write(run, { step, visit, who, kind: 'tool', text })
    }
  }
}

const LONGEST_TITLE = 1000
