/**
 * ntfy: one notification for each decision, which later ones replace. Its buttons decide, so there are none for what cannot
 * be undone, and none where the message does not show all of the decision: those need the page. Pure.
 */
import { longerThan } from '../../model/characters.ts'
import type { Urgency } from '../../model/decision.ts'
import { isLocal, picking } from './link.ts'
import { cut, type Notice, oneLine, textOf, titleOf } from './notice.ts'
import type { Post } from './post.ts'

export interface NtfyOrder {
  readonly server: string
  readonly topic: string
  readonly token: string | null
  /** The same for all that is said of a decision. */
  readonly thread: string
  readonly link: string | null
}

/** ntfy counts bytes (1 KiB and 4 KiB), and a character has at most four. */
const [LONGEST_TITLE, LONGEST_MESSAGE, LONGEST_LABEL] = [250, 1000, 40]
const MOST_ACTIONS = 3

const PRIORITIES: Readonly<Record<Urgency, number>> = { low: 2, normal: 3, high: 5 }
/** Comes without a sound. */
const SILENT = 1

export function ntfyPost(notice: Notice, { server, topic, token, thread, link }: NtfyOrder): Post {
  const isOver = notice.kind === 'closed'
  const body = {
    topic,
    title: titleOf(notice, LONGEST_TITLE),
    message: cut(textOf(notice), LONGEST_MESSAGE),
    priority: isOver ? SILENT : PRIORITIES[notice.urgency],
    tags: [isOver ? 'white_check_mark' : notice.kind === 'undeliverable' ? 'warning' : 'question'],
    sequence_id: thread,
    ...(link === null || isOver ? {} : { click: link, actions: actionsFor(notice, link) }),
  }
  return {
    url: server,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  }
}

function actionsFor(notice: Notice, link: string): readonly object[] {
  const { kind, options, recommended, runs } = notice
  // A telephone does not reach this machine by a name that means itself.
  if (isLocal(link) || kind === 'undeliverable' || kind === 'test') return []
  // Whoever has a command run sees it first, on the page.
  if (runs === true || !isShownWhole(notice)) return []
  const buttons = options.filter(({ reversible, runs: own }) => reversible && own !== true)
  const first = buttons.filter(({ key }) => key === recommended)
  return [...first, ...buttons.filter(({ key }) => key !== recommended)]
    .slice(0, MOST_ACTIONS)
    .map(({ key, label }) => ({
      action: 'http',
      label: cut(oneLine(label), LONGEST_LABEL),
      url: picking(link, key),
      method: 'POST',
      clear: true,
    }))
}

const isShownWhole = (notice: Notice): boolean =>
  notice.whole === true &&
  !longerThan(titleOf(notice, Number.POSITIVE_INFINITY), LONGEST_TITLE) &&
  !longerThan(textOf(notice), LONGEST_MESSAGE) &&
  notice.options.every(({ label }) => !longerThan(oneLine(label), LONGEST_LABEL))
