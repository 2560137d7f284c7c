/**
 * Messages of JSON-RPC that a client writes to a pipe, one a line. How long, how deep and how wide each is, is looked at before
 * anything is made of it; what is too much is refused to whoever waits for its answer, and the next one is heard.
 */
import { EXCESS_TEXT, excessIn } from './json-text.ts'
import { createLineSplitter } from './line-splitter.ts'
import { createHeadFinder, headOf, type MessageHead } from './message-head.ts'

/** In characters; what is taken in over HTTP is as many bytes. */
export const LONGEST_MESSAGE = 4 * 1024 * 1024

export interface MessageLinesOptions {
  readonly onMessage: (line: string) => void
  /** What to answer to one that is too much, as a line. */
  readonly onRefusal: (line: string) => void
}

export function createMessageLines({ onMessage, onRefusal }: MessageLinesOptions): (chunk: string) => void {
  return createLineSplitter({
    onLine: (line) => {
      const excess = excessIn(line)
      if (excess === null) return onMessage(line)
      const head = headOf(line)
      if (isAwaited(head)) onRefusal(refusalOf(head, EXCESS_TEXT[excess]))
    },
    maxLength: LONGEST_MESSAGE,
    onTooLong: (beginning) => {
      // Its id may be the last thing that it says.
      const find = createHeadFinder()
      let head = find(beginning)
      return {
        onPiece: (piece) => {
          head = find(piece)
        },
        onEnd: () => {
          if (isAwaited(head)) onRefusal(refusalOf(head, TOO_LONG))
        },
      }
    },
  })
}

/** Nobody waits for what comes of a notification. */
const isAwaited = ({ id, method }: MessageHead): boolean => id !== undefined || method === undefined

const TOO_LONG = `longer than ${LONGEST_MESSAGE / 1024 / 1024} MiB`

/** By the protocol's own number for what is no request. */
const refusalOf = ({ id = null }: { readonly id?: MessageHead['id'] | null }, what: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: -32_600, message: `What you sent is ${what}. Send less.` },
  })
