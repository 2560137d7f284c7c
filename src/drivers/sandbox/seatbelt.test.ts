/** Seatbelt as text, and all around it with a stand-in that holds nobody: macOS is needed for the rest. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import type { RefusedConnection } from './hosts.ts'
import { openLoopbackProxy } from './loopback-proxy.ts'
import { inOrder, type Mount } from './mounts.ts'
import { emptySandbox, NO_LIMITS, type Sandbox } from './sandbox.ts'
import { type ProfileOptions, seatbeltProfile } from './seatbelt-profile.ts'

const bind = (at: string, access: 'read' | 'write'): Mount => ({ kind: 'bind', at, from: at, access })

const profileOf = (mounts: readonly Mount[], more: Partial<ProfileOptions> = {}) =>
  seatbeltProfile({
    mounts: inOrder([{ kind: 'empty', at: '/' }, ...mounts]),
    temporary: '/private/var/own',
    sockets: [],
    ports: [],
    isWide: false,
    ...more,
  })

describe('the profile', () => {
  it('denies what it does not allow, and never the loader its root', () => {
    const lines = profileOf([]).split('\n')
    expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
    expect(lines).toContain('(allow file-read* (literal "/"))')
    expect(profileOf([])).not.toMatch(
      /\(allow (default|file-read\*|file-write\*|network\*|network-outbound|mach-lookup)\)/,
    )
    expect(profileOf([])).not.toMatch(/securityd|SecurityServer/)
  })

  it('says what is inner after what is outer, and keeps it from being moved', () => {
    const profile = profileOf([
      { kind: 'masked', at: '/w/a/b/token' },
      bind('/w/hooks', 'read'),
      bind('/w', 'write'),
      bind('/tools', 'read'),
      { kind: 'link', at: '/link', text: 'tools' },
    ])
    const files = profile.slice(
      profile.indexOf('; files'),
      profile.indexOf('(allow file-read* file-write-data'),
    )
    expect(files.split('\n').slice(3, -1)).toEqual([
      '(allow file-read* file-write* (subpath "/w"))',
      '(allow file-read* (subpath "/tools"))',
      '(allow file-read* (literal "/link"))',
      '(allow file-read* (subpath "/w/hooks"))',
      '(deny file-write* (subpath "/w/hooks"))',
      '(deny file-write-unlink (literal "/w"))',
      '(deny file-read* file-write* (subpath "/w/a/b/token"))',
      '(deny file-write-unlink (literal "/w/a/b"))',
      '(deny file-write-unlink (literal "/w/a"))',
      '(deny file-write-unlink (literal "/w"))',
    ])
  })

  it('lets nobody out of a path by its name', () => {
    expect(profileOf([bind('/a") (allow default) ("\\', 'read')])).toContain(
      '(subpath "/a\\") (allow default) (\\"\\\\"))',
    )
  })

  it('[D21] leaves of the network what was granted', () => {
    const limited = profileOf([], { ports: [3128, 4000], sockets: ['/run/agent.sock'] })
    expect(limited.slice(limited.indexOf('; network'))).toBe(
      [
        '; network',
        '(allow network-outbound (remote tcp "localhost:3128"))',
        '(allow network-outbound (remote tcp "localhost:4000"))',
        '(allow network-bind network-inbound network-outbound (subpath "/private/var/own"))',
        '(allow network-outbound (literal "/run/agent.sock"))',
        '',
      ].join('\n'),
    )
    const wide = profileOf([], { ports: [4000], isWide: true })
    const order = ['allow network-outbound (remote ip)', 'deny network-outbound (remote ip "localhost:*")']
    const places = [...order, 'allow network-outbound (remote tcp "localhost:4000")'].map((rule) =>
      wide.indexOf(rule),
    )
    expect(places).toEqual(places.filter((place) => place > 0).sort((one, other) => one - other))
  })
})

describe('a command for seatbelt', () => {
  async function standIn(more: Partial<Sandbox>) {
    const program = join(temporaryFolder(), 'sandbox-exec')
    writeFileSync(program, '#!/bin/sh\nshift 2\nexec "$@"\n', { mode: 0o755 })
    const proxy = await openLoopbackProxy()
    onTestFinished(() => proxy.close())
    return { ...emptySandbox({ kind: 'seatbelt', program, proxy }), ...more }
  }

  it('has a home and a place for temporary files of its own, which are gone afterwards', async () => {
    const sandbox = await standIn({ home: { at: '/home/me', from: null } })
    const running = run('echo $HOME; mktemp; ulimit -c', {
      sandbox,
      env: { PATH: process.env['PATH'] ?? '', HOME: '/home/me' },
    })
    const [home = '', file = '', core] = (await stdoutOf(running)).split('\n')
    expect([file.startsWith(`${home}/`), core]).toEqual([true, '0'])
    await running.exited
    expect(existsSync(home)).toBe(false)
  })

  it('tells its exit code, and where the program is missing', async () => {
    const sandbox = await standIn({ limits: { ...NO_LIMITS, openFiles: 64 } })
    expect(await run('ulimit -n >&2; exit 5', { sandbox }).exited).toMatchObject({ code: 5, error: null })
    const missing = await run('', { sandbox, argv: ['no-such-program'] }).exited
    expect(missing.error).toBe('The program no-such-program was not found.')
  })

  it('is asked to leave like any other', async () => {
    const sandbox = await standIn({})
    const running = run('trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.01; done', { sandbox })
    running.stdout.once('data', () => void running.stop(20_000))
    expect(await stdoutOf(running)).toMatch(/^ready\nbye\n/)
  })

  it('is not shown anything elsewhere', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'from'))
    const sandbox = await standIn({ shown: [{ from: join(folder, 'from'), at: folder, access: 'read' }] })
    expect(() => run('', { sandbox })).toThrow('Seatbelt shows nothing at another place.')
  })
})

describe('the proxy of a whole machine', () => {
  async function ask(proxy: string, url: string): Promise<string> {
    const { hostname, port, username, password } = new URL(proxy)
    const auth = username === '' ? {} : { 'proxy-authorization': `Basic ${btoa(`${username}:${password}`)}` }
    return new Promise((resolve, reject) => {
      request({ host: hostname, port, path: url, headers: auth }, (res) => {
        void text(res).then((body) => resolve(`${res.statusCode} ${body.trim()}`))
      })
        .on('error', reject)
        .end()
    })
  }

  it('holds each to its own hosts, and serves no stranger', async () => {
    const server = createServer((req, res) => res.end(String(req.headers['proxy-authorization']))).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(() => server.close().closeAllConnections())
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const proxy = await openLoopbackProxy()
    onTestFinished(() => proxy.close())
    const refused: RefusedConnection[] = []
    const may = proxy.admit({ hosts: ['127.0.0.1'], upstream: null, onRefused: undefined })
    const mayNot = proxy.admit({
      hosts: ['example.com'],
      upstream: null,
      onRefused: (one) => void refused.push(one),
    })
    expect(await ask(may.url, url)).toBe('200 undefined')
    expect(await ask(mayNot.url, url)).toMatch(/^403 /)
    expect(refused).toHaveLength(1)
    expect(await ask(`http://127.0.0.1:${proxy.port}`, url)).toMatch(/^407 /)
    may.dismiss()
    expect(await ask(may.url, url)).toMatch(/^407 /)
  })
})
