/**
 * A Slack-compatible webhook: blocks for Slack itself, and the same in `text` for those who know nothing else. What an
 * agent wrote stands in plain text, or in a block of code that it cannot end, so that it can neither format nor link nor call anybody. Pure.
 */
import { picking } from './link.ts'
import { cut, type Notice, oneLine, textOf, titleOf } from './notice.ts'
import type { Post } from './post.ts'

const [LONGEST_HEADER, LONGEST_SECTION, LONGEST_TEXT, LONGEST_BUTTON] = [150, 2900, 2000, 75]

export function slackPost(
  notice: Notice,
  { url, link }: { readonly url: string; readonly link: string | null },
): Post {
  const isOver = notice.kind === 'closed'
  const title = titleOf(notice, LONGEST_HEADER)
  const body = isOver
    ? { text: `✓ ${inert(`${title}: ${cut(textOf(notice), 300)}`)}` }
    : {
        text: `${inert(`${title}\n${cut(textOf(notice), LONGEST_TEXT)}`)}${link === null ? '' : `\n<${escaped(link)}|Decide>`}`,
        blocks: [
          { type: 'header', text: plain(title) },
          { type: 'section', text: plain(cut(textOf(notice), LONGEST_SECTION)) },
          ...(link === null ? [] : [{ type: 'actions', elements: buttonsFor(notice, link) }]),
        ],
      }
  return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Each opens the page, with its option picked there: looking at a page decides nothing. */
function buttonsFor({ kind, options }: Notice, link: string): readonly object[] {
  const picks = kind === 'opened' || kind === 'reminded' ? options : []
  return [
    ...picks.map(({ key, label }) => button(label, picking(link, key))),
    ...(picks.length === 0 ? [button('Open', link)] : []),
  ]
}

const button = (label: string, url: string): object => ({
  type: 'button',
  text: plain(cut(oneLine(label), LONGEST_BUTTON) || '·'),
  url,
})

const plain = (text: string): object => ({ type: 'plain_text', text, emoji: false })

const NOBODY = '\u200B'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Code on lines of its own: no mark in it formats, also where Markdown is read. */
const inert = (text: string): string => {
  const code = escaped(text)
    .replaceAll('`', 'ˋ')
    // Elsewhere than at Slack these words call everybody without any markup.
    .replaceAll(/@(?=channel|here|all|everyone)/gi, `@${NOBODY}`)
  return `\`\`\`\n${code}\n\`\`\``
}
