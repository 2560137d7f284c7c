/**
 * A program for agents that speak MCP over standard input and output only: each message is carried to the host's door
 * over HTTP, and what comes back is written out. It knows no tool and keeps nothing, so a restarted host is no matter.
 */
import { createMessageLines } from '../model/message-lines.ts'
import { messagesOf } from './event-stream.ts'
import { exchange } from './http-exchange.ts'

const url = process.env['SIGNALBOX_MCP_URL'] ?? ''
const token = process.env['SIGNALBOX_MCP_TOKEN'] ?? ''

if (url === '' || token === '') {
  process.stderr.write(
    'SIGNALBOX_MCP_URL and SIGNALBOX_MCP_TOKEN say where to and as whom; Signalbox sets both.\n',
  )
  process.exit(2)
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly result?: { readonly protocolVersion?: unknown }
}

let protocol: string | null = null

const say = (text: string): void => {
  process.stdout.write(`${text.replaceAll(/\r?\n/g, '')}\n`)
}

// Not one after the other: a call that waits for a person must not keep others waiting.
const hear = createMessageLines({ onMessage: (line) => void carry(line), onRefusal: say })
process.stdin
  .setEncoding('utf8')
  .on('data', hear)
  .on('end', () => hear('\n'))

async function carry(line: string): Promise<void> {
  const message = parsed(line)
  if (message === null) return
  try {
    const reply = await exchange({
      url,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(protocol === null ? {} : { 'mcp-protocol-version': protocol }),
      },
      body: line,
    })
    const body = reply.body.toString()
    const { status } = reply
    if (status >= 300) return refuse(message, `Signalbox answered ${status}: ${body.slice(0, 300)}`)
    const streamed = reply.headers['content-type']?.includes('text/event-stream') === true
    for (const text of streamed ? messagesOf(body) : [body]) {
      if (text.trim() === '') continue
      const version = message.method === 'initialize' ? parsed(text)?.result?.protocolVersion : undefined
      if (typeof version === 'string') protocol = version
      say(text)
    }
  } catch (error) {
    refuse(message, `Signalbox cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Only a request waits for an answer. */
function refuse({ id, method }: Message, message: string): void {
  if (id !== undefined && method !== undefined)
    say(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } }))
}

function parsed(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Message) : null
  } catch {
    return null
  }
}
