/**
 * One JSON message a line, both ways, between an agent's pipes and the SDK. The SDK's own stream answers a line that
 * is no message with an error, and agents print banners and log lines to stdout: here such a line is passed over.
 * Session updates do not go through the SDK: it drops those that do not fit its schema, and may handle one after the
 * answer that came behind it. Lines end at \n only: readline also breaks at U+2028, which JSON allows in a string.
 */
import type { Readable, Writable } from 'node:stream'
import { type AnyMessage, methods, type Stream } from '@agentclientprotocol/sdk'
import { isNestedTooDeep } from '../../model/nesting.ts'

export interface WireOptions {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly onMessage: (direction: 'in' | 'out', message: unknown) => void
  readonly onSessionUpdate: (params: unknown) => void
  /** A line that is no message. */
  readonly onNoise: () => void
}

export function openWire({ stdin, stdout, onMessage, onSessionUpdate, onNoise }: WireOptions): Stream {
  let open = true
  // What cannot be written is told to the writer; without a listener it would end the whole program.
  stdin.on('error', () => {})
  return {
    writable: new WritableStream<AnyMessage>({
      write: (message) => {
        onMessage('out', message)
        return new Promise<void>((resolve, reject) =>
          stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
        )
      },
    }),
    readable: new ReadableStream<AnyMessage>({
      start: (controller) => {
        const end = () => {
          if (open) controller.close()
          open = false
        }
        const lines = splitLines((line) => {
          const message = readMessage(line)
          if (!open) return
          if (message === null) return onNoise()
          onMessage('in', message)
          if ('method' in message && message.method === methods.client.session.update)
            return onSessionUpdate(message.params)
          controller.enqueue(message)
        })
        stdout.setEncoding('utf8').on('data', lines).on('end', end).on('close', end).on('error', end)
      },
      cancel: () => {
        open = false
      },
    }),
  }
}

// No agent says this much at once; a program that prints without line breaks must not fill the memory.
const LONGEST_LINE = 64 * 1024 * 1024

function splitLines(onLine: (line: string) => void): (chunk: string) => void {
  let pending = ''
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      const line = (pending + chunk.slice(from, end)).trim()
      pending = ''
      from = end + 1
      if (line !== '') onLine(line)
    }
    pending += chunk.slice(from)
    if (pending.length > LONGEST_LINE) pending = ''
  }
}

function readMessage(line: string): AnyMessage | null {
  if (!line.startsWith('{')) return null
  try {
    const value: Record<string, unknown> = JSON.parse(line)
    const call = value['jsonrpc'] === '2.0' && typeof value['method'] === 'string'
    const answer = typeof value['id'] === 'number' || typeof value['id'] === 'string'
    // Whoever handles it walks through it, and must not run out of room for what one agent says.
    return (call || answer) && !isNestedTooDeep(value) ? (value as unknown as AnyMessage) : null
  } catch {
    return null
  }
}
