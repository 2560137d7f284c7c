/** The door for agents outside any run: an MCP server over standard input and output, started by their own config. */
import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMessageLines, LONGEST_MESSAGE } from '../model/message-lines.ts'
import { createOutsideServer, type OutsideOptions } from './outside.ts'

export interface StdioOptions extends OutsideOptions {
  readonly signal: AbortSignal
}

export async function serveAgentsOutside({ signal, ...options }: StdioOptions): Promise<void> {
  const fitting = whatFits()
  // The library counts bytes, and of a character there may be three.
  const room = { maxBufferSize: 4 * LONGEST_MESSAGE }
  const transport = new StdioServerTransport(process.stdin.pipe(fitting), process.stdout, room)
  const handle = serveStdio(() => createOutsideServer(options), { transport })
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  await handle.close()
  process.stdin.unpipe(fitting).pause()
}

/** What is too much is answered here: the library parses any line, and reads on for as long as one lasts. */
function whatFits(): Transform {
  const decoder = new StringDecoder('utf8')
  const hear = createMessageLines({
    onMessage: (line) => fitting.push(`${line}\n`),
    onRefusal: (line) => process.stdout.write(`${line}\n`),
  })
  const fitting: Transform = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hear(decoder.write(chunk))
      done()
    },
  })
  return fitting
}
