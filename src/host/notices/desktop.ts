/** A notification on this machine's own screen, as the words of a command: no shell reads them. Pure. */
import type { Urgency } from '../../model/decision.ts'
import { cut, type Notice, textOf, titleOf } from './notice.ts'

const [LONGEST_TITLE, LONGEST_BODY] = [120, 500]

const LEVELS: Readonly<Record<Urgency, string>> = { low: 'low', normal: 'normal', high: 'critical' }

export function desktopArgv(
  notice: Notice,
  { program, path }: { readonly program: 'notify-send' | 'osascript'; readonly path: string },
): readonly string[] {
  const title = titleOf(notice, LONGEST_TITLE) || 'Signalbox'
  const body = cut(textOf(notice), LONGEST_BODY)
  return program === 'notify-send'
    ? [path, '--app-name=Signalbox', `--urgency=${LEVELS[notice.urgency]}`, '--', title, inert(body)]
    : // The first word must not look like an option.
      [path, ...SCRIPT.flatMap((line) => ['-e', line]), `Signalbox: ${title}`, body]
}

/** The texts come as arguments, so nothing in them is ever a part of the script. */
const SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run']

/** Bodies may hold markup; the freedesktop specification has it written like this where it is meant as text. */
const inert = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
