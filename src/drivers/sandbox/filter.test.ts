/** The filter by what it decides: a small machine runs its instructions as the kernel would. */
import { describe, expect, it } from 'vitest'
import { filterBytes } from './filter.ts'

interface Call {
  readonly audit: number
  readonly nr: number
  readonly args?: readonly number[]
}

function decide(program: Uint8Array, { audit, nr, args = [] }: Call): 'allowed' | number {
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, nr, true)
  data.setUint32(4, audit, true)
  args.forEach((arg, index) => {
    data.setUint32(16 + index * 8, arg, true)
    // What the kernel does not look at must not matter.
    data.setUint32(20 + index * 8, 0xdead_beef, true)
  })
  const view = new DataView(program.buffer)
  let register = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, k] = [view.getUint16(at * 8, true), view.getUint32(at * 8 + 4, true)]
    const jump = (holds: boolean) => view.getUint8(at * 8 + (holds ? 2 : 3))
    if (code === 0x20) register = data.getUint32(k, true)
    else if (code === 0x54) register = (register & k) >>> 0
    else if (code === 0x15) at += jump(register === k)
    else if (code === 0x35) at += jump(register >= k)
    else if (code === 0x45) at += jump((register & k) !== 0)
    else if (code === 0x06) return k === 0x7fff_0000 ? 'allowed' : k & 0xffff
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error('it ran off its end')
}

const [EPERM, ENOMEM, ENOSYS, EAFNOSUPPORT] = [1, 12, 38, 97]
const [UNIX, INET, VSOCK] = [1, 2, 40]
const [STREAM, DGRAM, SEQPACKET, CLOEXEC] = [1, 2, 5, 0o2000000]

const machines = [
  {
    processor: 'x64',
    audit: 0xc000_003e,
    read: 0,
    socket: 41,
    socketpair: 53,
    keyctl: 250,
    aio: 206,
    clone: 56,
    unshare: 272,
    setns: 308,
    memfd: 319,
    shmget: 29,
    uring: 425,
  },
  {
    processor: 'arm64',
    audit: 0xc000_00b7,
    read: 63,
    socket: 198,
    socketpair: 199,
    keyctl: 219,
    aio: 0,
    clone: 220,
    unshare: 97,
    setns: 268,
    memfd: 279,
    shmget: 194,
    uring: 425,
  },
] as const

describe.each(machines)('the filter on $processor', ({ processor, audit, ...nr }) => {
  const judge = (unixSockets: boolean, call: number, ...args: number[]) =>
    decide(filterBytes({ processor, unixSockets, unmappedMemory: true }), { audit, nr: call, args })

  it.each([true, false])('lets work, and keeps from keys and io_uring (Unix sockets: %s)', (unix) => {
    expect(judge(unix, nr.read)).toBe('allowed')
    expect(judge(unix, nr.socket, INET, STREAM)).toBe('allowed')
    expect(judge(unix, nr.socket, VSOCK, STREAM)).toBe(EAFNOSUPPORT)
    expect(judge(unix, nr.keyctl)).toBe(EPERM)
    expect(judge(unix, nr.uring)).toBe(ENOSYS)
    expect(judge(unix, nr.aio)).toBe(ENOSYS)
    expect(judge(unix, nr.socketpair, UNIX, STREAM | CLOEXEC)).toBe('allowed')
    expect(judge(unix, nr.socketpair, UNIX, SEQPACKET)).toBe('allowed')
  })

  it('[D27] lets no namespace be made or entered, and processes and threads be', () => {
    const [NEW_USER, NEW_NET, FILES, SIGCHLD, OF_A_THREAD] = [0x1000_0000, 0x4000_0000, 0x400, 17, 0x3d_0f00]
    for (const flags of [NEW_USER, NEW_NET | SIGCHLD, NEW_USER | FILES])
      for (const call of [nr.clone, nr.unshare]) expect(judge(true, call, flags)).toBe(EPERM)
    expect(judge(true, nr.setns, 3, 0)).toBe(EPERM)
    expect(judge(true, 435)).toBe(ENOSYS)
    for (const flags of [SIGCHLD, OF_A_THREAD]) expect(judge(true, nr.clone, flags)).toBe('allowed')
    expect(judge(true, nr.unshare, FILES)).toBe('allowed')
  })

  it('[D26] refuses memory that no process maps, beyond a page, only where it is told to', () => {
    const refusing = filterBytes({ processor, unixSockets: true, unmappedMemory: false })
    const inIt = (call: number, ...args: number[]) => decide(refusing, { audit, nr: call, args })
    expect(inIt(nr.memfd)).toBe(ENOSYS)
    expect(inIt(nr.shmget, 0, 4097)).toBe(ENOMEM)
    expect(inIt(nr.shmget, 0, 4096)).toBe('allowed')
    expect(inIt(nr.socket, INET, STREAM)).toBe('allowed')
    for (const call of [nr.memfd, nr.shmget]) expect(judge(true, call, 0, 2 ** 30)).toBe('allowed')
  })

  it('refuses Unix sockets, and pairs that could be sent elsewhere, only where it should', () => {
    expect(judge(false, nr.socket, UNIX, STREAM)).toBe(EAFNOSUPPORT)
    expect(judge(false, nr.socketpair, UNIX, DGRAM | CLOEXEC)).toBe(EAFNOSUPPORT)
    expect(judge(true, nr.socket, UNIX, STREAM)).toBe('allowed')
    expect(judge(true, nr.socketpair, UNIX, DGRAM)).toBe('allowed')
  })

  it('refuses every call by another numbering', () => {
    const program = filterBytes({ processor, unixSockets: true, unmappedMemory: true })
    expect(decide(program, { audit: 0x4000_0003, nr: nr.read })).toBe(ENOSYS)
    if (processor === 'x64') expect(decide(program, { audit, nr: 0x4000_0000 + nr.socket })).toBe(ENOSYS)
  })
})
