/**
 * One JSON message a line, both ways, between an agent's pipes and the SDK. The SDK's own stream answers a line that
 * is no message with an error, and agents print banners and log lines to stdout: here such a line is passed over.
 * Session updates do not go through the SDK: it drops those that do not fit its schema, and may handle one after the
 * answer that came behind it. Lines end at \n only: readline also breaks at U+2028, which JSON allows in a string.
 *
 * What one agent says is bounded: how deep, how wide and how long a message is, which is looked at before anything is made of
 * it; how many of its requests wait, and how much they say; how much is taken in at once. One that talks faster waits for us, as
 * it would for any pipe that is full.
 */
import type { Readable, Writable } from 'node:stream'
import { type AnyMessage, methods, type Stream } from '@agentclientprotocol/sdk'
import { EXCESS_TEXT, excessIn } from '../../model/json-text.ts'
import { createLineSplitter } from '../../model/line-splitter.ts'
import { headOf } from '../../model/message-head.ts'
import { createPacer } from './pacer.ts'
import { createWaitingRequests } from './waiting-requests.ts'

export interface WireOptions {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly onMessage: (direction: 'in' | 'out', message: unknown) => void
  readonly onSessionUpdate: (params: unknown) => void
  /** A line that is no message. */
  readonly onNoise: () => void
  /** It said more than anybody can deal with, as a sentence; nothing more is heard of it. */
  readonly onExcess: (sentence: string) => void
}

export function openWire(options: WireOptions): Stream {
  const { stdin, stdout, onMessage, onSessionUpdate, onNoise, onExcess } = options
  let open = true
  const requests = createWaitingRequests()
  /** The SDK would write on the host's own screen of an answer to what it never asked. */
  const asked = new Set<unknown>()
  const pacer = createPacer(stdout)
  // What cannot be written is told to the writer; without a listener it would end the whole program.
  stdin.on('error', () => {})
  const write = (message: object): Promise<void> =>
    new Promise<void>((resolve, reject) =>
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    )
  return {
    writable: new WritableStream<AnyMessage>({
      write: (message) => {
        if (!('method' in message)) requests.answered(message.id)
        else if ('id' in message) asked.add(message.id)
        onMessage('out', message)
        return write(message)
      },
    }),
    readable: new ReadableStream<AnyMessage>({
      start: (controller) => {
        const end = () => {
          if (open) controller.close()
          open = false
        }
        const excess = (sentence: string): void => {
          if (!open) return
          end()
          onExcess(sentence)
        }
        const take = (line: string): void => {
          if (!open) return
          pacer.count(line.length)
          const beyond = line.startsWith('{') ? excessIn(line) : null
          const message = beyond === null ? readMessage(line) : atItsTop(line)
          if (beyond === 'values') excess(`It sent a message ${EXCESS_TEXT.values}.`)
          else if (message === null || !('method' in message || asked.delete(message.id))) onNoise()
          else if (!isHeld(message, line.length)) return
          else if (beyond === 'depth') refuseDeep(message)
          else hear(message)
        }
        /** False where it was one request too many. */
        const isHeld = (message: AnyMessage, length: number): boolean => {
          const isRequest = 'method' in message && 'id' in message
          const tooMuch = isRequest ? requests.add(message.id, length) : null
          if (tooMuch !== null) excess(tooMuch)
          return tooMuch === null
        }
        const hear = (message: AnyMessage): void => {
          onMessage('in', message)
          if ('method' in message && message.method === methods.client.session.update)
            onSessionUpdate(message.params)
          else controller.enqueue(message)
        }
        /** Whoever waits for something hears that it came to nothing; what nobody waits for is passed over. */
        const refuseDeep = (message: AnyMessage): void => {
          onNoise()
          if (!('id' in message) || message.id === undefined) return
          const { id } = message
          const refusal = { jsonrpc: '2.0', id, error: TOO_DEEP } as const
          if (!('method' in message)) controller.enqueue(refusal)
          else
            write(refusal)
              .catch(() => {})
              .finally(() => requests.answered(id))
        }
        const splitter = createLineSplitter({
          onLine: guarded(take, (error) => excess(`What it sent could not be dealt with: ${String(error)}`)),
          maxLength: LONGEST_LINE,
          onTooLong: () => {
            excess(`It sent a message of more than ${LONGEST_LINE / 1024 / 1024} MiB, which nobody can read.`)
            return null
          },
        })
        stdout.setEncoding('utf8').on('data', splitter).on('end', end).on('close', end).on('error', end)
      },
      cancel: () => {
        open = false
      },
    }),
  }
}

/** In a callback of its output: what throws there would end the host, and everybody else's work with it. */
const guarded =
  (act: (line: string) => void, onError: (error: unknown) => void) =>
  (line: string): void => {
    try {
      act(line)
    } catch (error) {
      onError(error)
    }
  }

/** A file of 1 MiB before and after a change, told twice, and what JSON adds to it. */
const LONGEST_LINE = 8 * 1024 * 1024
/** By the protocol's own number for what is no request. */
const TOO_DEEP = { code: -32600, message: `It is ${EXCESS_TEXT.depth}.` } as const

/** Of what is too much, only what says who waits for it. */
function atItsTop(line: string): AnyMessage | null {
  const head = headOf(line)
  return head.id === undefined && head.method === undefined
    ? null
    : ({ jsonrpc: '2.0', ...head } as AnyMessage)
}

function readMessage(line: string): AnyMessage | null {
  if (!line.startsWith('{')) return null
  try {
    const value: Record<string, unknown> = JSON.parse(line)
    const call = value['jsonrpc'] === '2.0' && typeof value['method'] === 'string'
    const answer = typeof value['id'] === 'number' || typeof value['id'] === 'string'
    return call || answer ? (value as unknown as AnyMessage) : null
  } catch {
    return null
  }
}
