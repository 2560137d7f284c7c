import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { appOf, openOperations, tokenOf } from './doors.fixture.ts'
import { startServer } from './server.ts'
import { type ReachWish, reachFor } from './wide-reach.ts'

const wish = (over: Partial<ReachWish>) =>
  reachFor({ listen: null, tls: null, behindProxy: false, publicUrl: null, ...over })
const tls = { cert: 'c', key: 'k' }

describe('a host beyond its machine', () => {
  it('[U6] is encrypted, or somebody says who does it', () => {
    expect(wish({})).toBeNull()
    for (const listen of ['192.168.1.5', '0.0.0.0:80', '[::]:7443', 'box.example'])
      expect(wish({ listen })).toMatchObject({ problem: expect.stringContaining('--tls-cert') })
    expect(wish({ listen: '192.168.1.5', tls })).toEqual({
      listen: { address: '192.168.1.5', port: 7443, tls },
      behindProxy: false,
    })
    const publicUrl = 'https://box.example'
    expect(wish({ listen: '[::1]:99', behindProxy: true, publicUrl })).toEqual({
      listen: { address: '::1', port: 99, tls: null },
      behindProxy: true,
    })
    expect(wish({ listen: '127.0.0.1:80' })).toMatchObject({ listen: { tls: null } })
    expect(wish({ behindProxy: true })).toMatchObject({ problem: expect.stringContaining('public_url') })
    expect(wish({ tls })).toMatchObject({ problem: expect.stringContaining('--listen') })
    for (const listen of ['', 'a b', '1.2.3.4:x', '1.2.3.4:99999', 'http://x'])
      expect(wish({ listen, tls })).toMatchObject({ problem: expect.stringContaining('--listen takes') })
  })

  it('[U6] behind a proxy is called by its public name, and else by links only', async () => {
    const { options } = openOperations()
    const publicUrl = 'https://box.example'
    const ask = async (over: object, origin?: string) => {
      const headers = new Headers({ host: 'box.example', authorization: `Bearer ${tokenOf('maria')}` })
      if (origin !== undefined) headers.set('origin', origin)
      return (await appOf({ ...options, publicUrl, ...over }).request('/api/v1/runs', { headers })).status
    }
    expect(await ask({})).toBe(403)
    const reach = { listen: null, behindProxy: true }
    expect(await ask({ reach })).toBe(200)
    expect(await ask({ reach }, 'https://box.example')).toBe(200)
    expect(await ask({ reach }, 'https://evil.example')).toBe(403)
  })

  it('[U6] speaks TLS there, by its address only, and leaves the agents’ door out', async () => {
    const folder = temporaryFolder()
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=box',
    ]
    execFileSync('openssl', [...made, '-days', '2', '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const files = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
    const listen = { address: '127.0.0.1', port: 0, tls: files }
    const server = await startServer({ ...openOperations().options, reach: { listen, behindProxy: false } })
    if ('problem' in server) throw new Error(server.problem)
    onTestFinished(() => server.close())
    expect(server.wideUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(server.createLoginLink()).toContain(`${server.wideUrl}/login#`)
    const ask = (path: string, headers: Record<string, string> = {}) =>
      new Promise<number>((resolve, reject) => {
        const asked = request(
          `${server.wideUrl}${path}`,
          { headers, rejectUnauthorized: false },
          (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          },
        )
        asked.on('error', reject)
        asked.end()
      })
    const authorization = `Bearer ${tokenOf('maria')}`
    expect(await ask('/api/v1/runs', { authorization })).toBe(200)
    expect(await ask('/api/v1/runs', { authorization, host: 'localhost' })).toBe(403)
    expect(await ask('/mcp')).toBe(404)
    const broken = { listen: { ...listen, tls: { cert: 'c', key: 'k' } }, behindProxy: false }
    expect(await startServer({ ...openOperations().options, reach: broken })).toMatchObject({
      problem: expect.stringContaining('--listen'),
    })
  })
})
