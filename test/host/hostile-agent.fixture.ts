/** An agent that speaks the protocol until it is prompted; then it says the next of the lines it was given, whatever they are. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface HostileAgent {
  readonly argv: readonly string[]
  /** How many lines it has said is in there. */
  readonly cursor: string
}

export function hostileAgent(
  dir: string,
  { lines, perTurn }: { readonly lines: readonly string[]; readonly perTurn: number },
): HostileAgent {
  const [script, said, cursor] = ['agent.mjs', 'lines', 'cursor'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(said, lines.join('\n'))
  writeFileSync(cursor, '0')
  writeFileSync(script, SCRIPT)
  return { argv: [process.execPath, script, said, cursor, String(perTurn)], cursor }
}

const SCRIPT = `
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [said, cursor, perTurn] = process.argv.slice(2)
const lines = readFileSync(said, 'utf8').split('\\n')
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
    else if (method === 'session/new') send({ id, result: { sessionId: 's' } })
    else if (method === 'session/prompt') {
      const from = Number(readFileSync(cursor, 'utf8'))
      const next = lines.slice(from, from + Number(perTurn))
      writeFileSync(cursor, String(from + next.length))
      process.stdout.write(next.map((each) => each.replaceAll('"@prompt"', id) + '\\n').join(''), () =>
        send({ id, result: { stopReason: 'end_turn' } }))
    } else if (method !== undefined && id !== undefined) send({ id, error: { code: -32601, message: 'no' } })
  })
  .on('close', () => process.exit(0))
`
