import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { openOperations } from './doors.fixture.ts'
import { createApp } from './server.ts'
import { openWebFiles } from './web-files.ts'

function open() {
  const dir = temporaryFolder()
  mkdirSync(join(dir, 'assets'))
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>the page</title>')
  writeFileSync(join(dir, 'assets/a-1.js'), 'const a = 1\n'.repeat(100))
  writeFileSync(join(dir, '../beside.txt'), 'secret')
  const app = createApp({ ...openOperations().options, web: openWebFiles(dir) })
  return (path: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request(`http://127.0.0.1${path}`, { headers: { host: '127.0.0.1', ...headers } })
}

describe('the web application', () => {
  it('[U3] is the page at every address of its own, under a policy that lets nothing in', async () => {
    const ask = open()
    for (const path of ['/', '/inbox', '/runs/abc', '/login']) {
      const response = await ask(path)
      expect(await response.text()).toContain('the page')
      const policy = response.headers.get('content-security-policy') ?? ''
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
      ])
        expect(policy.split('; ')).toContain(part)
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('gives its files packed, for ever by their name, and again only if they changed', async () => {
    const ask = open()
    const packed = await ask('/assets/a-1.js', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('cache-control')).toContain('immutable')
    expect(packed.headers.get('content-type')).toContain('text/javascript')
    expect((await packed.arrayBuffer()).byteLength).toBeLessThan(200)
    const etag = packed.headers.get('etag') ?? ''
    expect((await ask('/assets/a-1.js', { 'if-none-match': etag })).status).toBe(304)
    expect(await (await ask('/assets/a-1.js')).text()).toContain('const a')
  })

  it('gives nothing else: no file beside it, nothing of the API', async () => {
    const ask = open()
    for (const path of [
      '/../beside.txt',
      '/%2e%2e/beside.txt',
      '/assets/../../beside.txt',
      '/nothing.js',
      '/mcp/x.js',
    ])
      expect((await ask(path)).status, path).toBe(404)
    expect((await ask('/api/v1/nothing')).status).toBe(401)
  })

  it('says so where it was not built', async () => {
    const app = createApp({ ...openOperations().options, web: openWebFiles('/nowhere') })
    const response = await app.request('http://127.0.0.1/', { headers: { host: '127.0.0.1' } })
    expect(await response.text()).toContain('npm run build')
  })
})
