import { describe, expect, it } from 'vitest'
import { type BubblewrapOptions, bubblewrapArgv } from './bubblewrap.ts'
import { coversOf } from './foreign-sockets.ts'
import { inOrder, type Mount } from './mounts.ts'

const ROOT: Mount = { kind: 'empty', at: '/' }
const bind = (at: string, access: 'read' | 'write' = 'read', from = at): Mount => ({
  kind: 'bind',
  at,
  from,
  access,
})

const lineOf = (mounts: readonly Mount[], more: Partial<BubblewrapOptions> = {}) =>
  bubblewrapArgv({
    program: 'bwrap',
    view: { mounts: inOrder([ROOT, ...mounts]), cwd: '/work', isCrowded: false },
    root: null,
    network: true,
    filtered: false,
    argv: ['cat'],
    ...more,
  }).join(' ')

describe('the command line', () => {
  it('begins with nothing, and ends with a root that nobody can write to', () => {
    expect(lineOf([])).toBe(
      'bwrap --remount-ro / --unshare-pid --unshare-ipc --die-with-parent --new-session --json-status-fd 3 --args 6 --chdir /work -- cat',
    )
  })

  it('puts what is inner over what is outer', () => {
    const line = lineOf([
      { kind: 'masked', at: '/work/tree/token' },
      bind('/work/tree/hooks'),
      { kind: 'empty', at: '/work/tree/secrets' },
      bind('/work/tree', 'write'),
    ])
    expect(line).toContain(
      [
        '--bind /work/tree /work/tree --ro-bind /dev/null /work/tree/token',
        '--ro-bind /work/tree/hooks /work/tree/hooks --tmpfs /work/tree/secrets',
        '--remount-ro / --remount-ro /work/tree/secrets',
      ].join(' '),
    )
  })

  it('lets the later of two on one path have the word', () => {
    expect(lineOf([bind('/a'), bind('/a', 'write')])).toMatch(/^bwrap --bind \/a \/a --remount-ro/)
    expect(lineOf([bind('/a', 'write'), { kind: 'masked', at: '/a' }])).not.toContain('/a')
  })

  it('leaves out what would change nothing', () => {
    expect(lineOf([bind('/usr'), bind('/usr/lib/node')])).not.toContain('/usr/lib/node')
    expect(lineOf([bind('/tree', 'read', '/clean'), bind('/tree/sub')])).toContain(
      '--ro-bind /tree/sub /tree/sub',
    )
    expect(lineOf([{ kind: 'empty', at: '/data' }])).not.toContain('/data')
    expect(lineOf([bind('/home', 'write'), { kind: 'link', at: '/home/link', text: 'x' }])).not.toContain(
      'link',
    )
    expect(lineOf([{ kind: 'link', at: '/bin', text: 'usr/bin' }])).toContain('--symlink usr/bin /bin')
  })

  it('bounds what is kept in memory', () => {
    expect(lineOf([{ kind: 'temporary', at: '/tmp', bytes: 4096 }])).toContain('--size 4096 --tmpfs /tmp')
    expect(lineOf([{ kind: 'temporary', at: '/tmp', bytes: null }])).toContain('bwrap --tmpfs /tmp')
  })

  it('takes root its power, and everybody the network where asked', () => {
    const line = lineOf([], { root: 'ordinary', network: false })
    expect(line).toContain('--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --disable-userns')
    expect(line).toContain('--unshare-net')
    expect(lineOf([], { root: 'root' })).toContain('--uid 0 --gid 0 --cap-drop ALL --disable-userns')
    expect(lineOf([])).not.toContain('--unshare-net')
  })
})

it('covers the sockets that would be seen, wherever they would be seen', () => {
  const mounts = [
    ROOT,
    bind('/home/me/cache', 'write'),
    bind('/tree', 'read', '/clean'),
    bind('/run/agent.sock'),
  ]
  const sockets = ['/home/me/cache/s', '/clean/sub/s', '/run/agent.sock', '/run/other.sock', '/tree/s']
  expect(coversOf(mounts, sockets).map(({ at }) => at)).toEqual(['/home/me/cache/s', '/tree/sub/s'])
})
