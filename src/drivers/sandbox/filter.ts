/**
 * The system calls that a program in a sandbox is refused, as a seccomp program for the kernel: what reaches beyond the
 * namespaces. Keys belong to the user's login, io_uring does calls that nobody sees, and virtual machines have sockets
 * to their host.
 *
 * Abstract Unix sockets belong to the network, and where that is the machine's, its desktop and its containers answer. A
 * filter sees no names, but the length of an address: an abstract name has a length of its own, while a path may be given
 * with the length of the longest, as most programs do. So where only sockets with paths are allowed, no other length is
 * accepted but those of internet addresses; and no datagrams, which are sent without connecting.
 */

export type Processor = 'x64' | 'arm64'

export interface FilterOptions {
  readonly processor: Processor
  readonly unixSockets: UnixSockets
}

/** `named`: by a path only, for those who give its length as that of the longest. */
export type UnixSockets = 'allowed' | 'named' | 'refused'

export function filterBytes({ processor, unixSockets }: FilterOptions): Uint8Array {
  const { audit, calls } = PROCESSORS[processor]
  const connected = [load(SECOND), { code: AND, k: TYPE }, ...oneOf([SOCK_STREAM, SOCK_SEQPACKET])]
  const unix: Readonly<Record<UnixSockets, Instruction[]>> = {
    allowed: when(AF_UNIX, [allow]),
    named: when(AF_UNIX, [...connected, refuse(EAFNOSUPPORT)]),
    refused: [],
  }
  return encode([
    load(ARCHITECTURE),
    // Programs for another processor (32 bits) number their calls otherwise.
    ...unless(audit, [refuse(ENOSYS)]),
    load(CALL),
    ...(processor === 'x64' ? [jump(IS_AT_LEAST, X32, 0, 1), refuse(ENOSYS)] : []),
    ...calls.unknown.flatMap((call) => when(call, [refuse(ENOSYS)])),
    ...calls.forbidden.flatMap((call) => when(call, [refuse(EPERM)])),
    ...when(calls.socket, [
      load(FIRST),
      ...oneOf([AF_INET, AF_INET6, AF_NETLINK]),
      ...unix[unixSockets],
      refuse(EAFNOSUPPORT),
    ]),
    ...(unixSockets === 'allowed' ? [] : when(calls.socketpair, [...connected, refuse(EAFNOSUPPORT)])),
    ...(unixSockets === 'named'
      ? when(calls.connect, [
          load(THIRD),
          ...oneOf(ACCEPTED_LENGTHS),
          jump(IS_AT_LEAST, Math.max(...ACCEPTED_LENGTHS), 0, 1),
          allow,
          refuse(ECONNREFUSED),
        ])
      : []),
    allow,
  ])
}

/** Whether an abstract name, with its first byte, could be reached by an accepted length. */
export const isInReach = (abstractBytes: number): boolean => ACCEPTED_LENGTHS.includes(abstractBytes + FAMILY)

export const isProcessor = (name: string): name is Processor => Object.hasOwn(PROCESSORS, name)

/** What stands before the name in an address. */
const FAMILY = 2
const IO_URING_SETUP = 425
const PROCESSORS = {
  x64: {
    audit: 0xc000_003e,
    calls: {
      socket: 41,
      connect: 42,
      socketpair: 53,
      /** add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd */
      forbidden: [248, 249, 250, 298, 321, 323],
      /** As on an older kernel: programs then do without. */
      unknown: [IO_URING_SETUP],
    },
  },
  arm64: {
    audit: 0xc000_00b7,
    calls: {
      socket: 198,
      connect: 203,
      socketpair: 199,
      forbidden: [217, 218, 219, 241, 280, 282],
      unknown: [IO_URING_SETUP],
    },
  },
} as const

/** Where the kernel puts the call and its arguments; of these the lower halves, which are all it looks at. */
const [CALL, ARCHITECTURE, FIRST, SECOND, THIRD] = [0, 4, 16, 24, 32]
/** From here on they are calls of the x32 interface. */
const X32 = 0x4000_0000
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16]
const [SOCK_STREAM, SOCK_SEQPACKET, TYPE] = [1, 5, 0xf]
const [EPERM, ENOSYS, EAFNOSUPPORT, ECONNREFUSED] = [1, 38, 97, 111]
/** Of an address of IPv4, of IPv6, and of the longest path; what is longer than that is no Unix socket's. */
const ACCEPTED_LENGTHS = [16, 28, 110]

interface Instruction {
  readonly code: number
  readonly k: number
  /** How many instructions are skipped where the test holds, and where not. */
  readonly yes?: number
  readonly no?: number
}

const [LOAD, AND, IS, IS_AT_LEAST, RETURN] = [0x20, 0x54, 0x15, 0x35, 0x06]
const load = (k: number): Instruction => ({ code: LOAD, k })
const jump = (code: number, k: number, yes: number, no: number): Instruction => ({ code, k, yes, no })
const allow: Instruction = { code: RETURN, k: 0x7fff_0000 }
const refuse = (errno: number): Instruction => ({ code: RETURN, k: 0x0005_0000 | errno })

/** What follows is done only with this value; it must end by returning. */
const when = (value: number, then: readonly Instruction[]): Instruction[] => [
  jump(IS, value, 0, then.length),
  ...then,
]
const unless = (value: number, then: readonly Instruction[]): Instruction[] => [
  jump(IS, value, then.length, 0),
  ...then,
]
/** Allowed if it is one of them. */
const oneOf = (values: readonly number[]): Instruction[] => values.flatMap((value) => when(value, [allow]))

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8))
  instructions.forEach(({ code, k, yes = 0, no = 0 }, index) => {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, yes)
    bytes.setUint8(index * 8 + 3, no)
    bytes.setUint32(index * 8 + 4, k, true)
  })
  return new Uint8Array(bytes.buffer)
}
