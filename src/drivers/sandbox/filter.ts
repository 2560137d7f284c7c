/**
 * The system calls that a program in a sandbox is refused, as a seccomp program for the kernel: what reaches beyond the
 * namespaces. Keys belong to the user's login, io_uring does calls that nobody sees, and virtual machines have sockets
 * to their host. New namespaces give powers over parts of the kernel that have had many holes; `clone3` has its flags in
 * memory, where a filter cannot look, so programs are told to do without it.
 */

export type Processor = 'x64' | 'arm64'

export interface FilterOptions {
  readonly processor: Processor
  /** False: it can make none, not even for itself. */
  readonly unixSockets: boolean
  /** False: it has no memory that no process maps, beyond pages; for limits that are held by looking at processes. */
  readonly unmappedMemory: boolean
}

export function filterBytes({ processor, unixSockets, unmappedMemory }: FilterOptions): Uint8Array {
  const { audit, calls } = PROCESSORS[processor]
  const connected = [load(SECOND), { code: AND, k: TYPE }, ...oneOf([SOCK_STREAM, SOCK_SEQPACKET])]
  return encode([
    load(ARCHITECTURE),
    // Programs for another processor (32 bits) number their calls otherwise.
    ...unless(audit, [refuse(ENOSYS)]),
    load(CALL),
    ...(processor === 'x64' ? [jump(IS_AT_LEAST, X32, 0, 1), refuse(ENOSYS)] : []),
    ...calls.unknown.flatMap((call) => when(call, [refuse(ENOSYS)])),
    ...calls.forbidden.flatMap((call) => when(call, [refuse(EPERM)])),
    ...(unmappedMemory
      ? []
      : [
          ...when(calls.memfd, [refuse(ENOSYS)]),
          ...when(calls.shmget, [load(SECOND), jump(IS_AT_LEAST, PAGE + 1, 0, 1), refuse(ENOMEM), allow]),
        ]),
    ...calls.cloning.flatMap((call) =>
      when(call, [load(FIRST), jump(HAS_ANY, NEW_NAMESPACES, 0, 1), refuse(EPERM), allow]),
    ),
    ...when(calls.socket, [
      load(FIRST),
      ...oneOf([AF_INET, AF_INET6, AF_NETLINK, ...(unixSockets ? [AF_UNIX] : [])]),
      refuse(EAFNOSUPPORT),
    ]),
    // A pair for datagrams could be sent elsewhere.
    ...(unixSockets ? [] : when(calls.socketpair, [...connected, refuse(EAFNOSUPPORT)])),
    allow,
  ])
}

export const isProcessor = (name: string): name is Processor => Object.hasOwn(PROCESSORS, name)

const IO_URING_SETUP = 425
const CLONE3 = 435
const MEMFD_SECRET = 447
const PAGE = 4096
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
const NEW_NAMESPACES = 0x7e02_0000
const PROCESSORS = {
  x64: {
    audit: 0xc000_003e,
    calls: {
      socket: 41,
      socketpair: 53,
      /** clone, unshare */
      cloning: [56, 272],
      memfd: 319,
      shmget: 29,
      /** add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, setns */
      forbidden: [248, 249, 250, 298, 321, 323, 308],
      /** As on an older kernel: programs then do without. io_setup: its requests are limited for the whole machine. */
      unknown: [IO_URING_SETUP, CLONE3, MEMFD_SECRET, 206],
    },
  },
  arm64: {
    audit: 0xc000_00b7,
    calls: {
      socket: 198,
      socketpair: 199,
      cloning: [220, 97],
      memfd: 279,
      shmget: 194,
      forbidden: [217, 218, 219, 241, 280, 282, 268],
      unknown: [IO_URING_SETUP, CLONE3, MEMFD_SECRET, 0],
    },
  },
} as const

/** Where the kernel puts the call and its arguments; of these the lower halves, which are all it looks at. */
const [CALL, ARCHITECTURE, FIRST, SECOND] = [0, 4, 16, 24]
/** From here on they are calls of the x32 interface. */
const X32 = 0x4000_0000
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16]
const [SOCK_STREAM, SOCK_SEQPACKET, TYPE] = [1, 5, 0xf]
const [EPERM, ENOMEM, ENOSYS, EAFNOSUPPORT] = [1, 12, 38, 97]

interface Instruction {
  readonly code: number
  readonly k: number
  /** How many instructions are skipped where the test holds, and where not. */
  readonly yes?: number
  readonly no?: number
}

const [LOAD, AND, IS, IS_AT_LEAST, HAS_ANY, RETURN] = [0x20, 0x54, 0x15, 0x35, 0x45, 0x06]
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
