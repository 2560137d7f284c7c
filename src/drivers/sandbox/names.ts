/**
 * The name server of a sandbox: it gives every name that may be reached an address of a range that nobody uses, so a
 * connection to that address says which name was meant. Names that may not be reached are not looked up anywhere: a
 * question to a name server is a message to whoever owns the name.
 */
import type { Socket as UdpSocket } from 'node:dgram'

export interface NameServer {
  serve(socket: UdpSocket): void
  /** Which name stands behind an address; null: none of ours. */
  nameAt(address: string): string | null
}

/** Whether a name exists and may be reached. */
export type IsReachable = (name: string) => Promise<boolean>

const MAX_NAMES = 20_000
const MAX_WAITING = 32

export function createNameServer(isReachable: IsReachable): NameServer {
  const addresses = new Map<string, string>()
  const names = new Map<string, string>()
  let waiting = 0

  function addressOf(name: string): string | null {
    const known = addresses.get(name)
    if (known !== undefined) return known
    if (addresses.size === MAX_NAMES) return null
    // 198.18.0.0/15 is for measuring networks (RFC 2544) and leads nowhere.
    const number = addresses.size + 1
    const address = `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
    addresses.set(name, address)
    names.set(address, name)
    return address
  }

  async function answerTo(packet: Buffer): Promise<Buffer | null> {
    const question = parseDnsQuestion(packet)
    if (question === null) return null
    const { name, type } = question
    if (name === 'localhost' || name.endsWith('.localhost'))
      return answerWith(packet, question, type === A ? '127.0.0.1' : null)
    if (!(await isReachable(name))) return answerWith(packet, question, 'unknown')
    return answerWith(packet, question, type === A ? addressOf(name) : null)
  }

  return {
    serve(socket) {
      socket.on('error', () => socket.close())
      socket.on('message', (packet, { address, port }) => {
        // A program that is not answered asks again.
        if (waiting === MAX_WAITING) return
        waiting++
        void answerTo(packet)
          .then((answer) => {
            if (answer !== null) socket.send(answer, port, address, () => {})
          })
          .catch(() => {})
          .finally(() => waiting--)
      })
    },
    nameAt: (address) => names.get(address) ?? null,
  }
}

export interface DnsQuestion {
  /** In lower case. */
  readonly name: string
  readonly type: number
  /** Where it ends in its message. */
  readonly end: number
}

const [A, HEADER] = [1, 12]
const [RESPONSE, RECURSION_AVAILABLE, NO_SUCH_NAME] = [0x8000, 0x80, 3]

/** Null: it is no message that asks one question about the name of a host. */
export function parseDnsQuestion(packet: Buffer): DnsQuestion | null {
  if (packet.length < HEADER || (packet[2] ?? 0) & 0xf8 || packet.readUInt16BE(4) !== 1) return null
  const labels: string[] = []
  let at = HEADER
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    // What is longer is a pointer, which no first name has.
    if (length > 63 || at - HEADER + length > 253) return null
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const end = at + 5
  const name = labels.join('.').toLowerCase()
  if (!/^[\w.-]+$/.test(name) || end > packet.length) return null
  return { name, type: packet.readUInt16BE(at + 1), end }
}

/** Null: the name exists, and has nothing of this type. */
function answerWith(packet: Buffer, { end }: DnsQuestion, found: string | null): Buffer {
  const isUnknown = found === 'unknown'
  const header = Buffer.alloc(HEADER)
  header.writeUInt16BE(packet.readUInt16BE(0), 0)
  const flags = RESPONSE | (packet.readUInt16BE(2) & 0x100) | RECURSION_AVAILABLE
  header.writeUInt16BE(flags | (isUnknown ? NO_SUCH_NAME : 0), 2)
  header.writeUInt16BE(1, 4)
  const question = packet.subarray(HEADER, end)
  if (found === null || isUnknown) return Buffer.concat([header, question])
  header.writeUInt16BE(1, 6)
  // The name of the question, an address of the internet, for a minute.
  const record = Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...found.split('.').map(Number)])
  return Buffer.concat([header, question, record])
}
