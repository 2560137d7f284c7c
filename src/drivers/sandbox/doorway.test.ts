/** What leads out of a real sandbox, to real servers on this machine. */
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { run, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import type { RefusedConnection } from './hosts.ts'
import { boxed, describeBoxed } from './sandbox.fixture.ts'
import type { Sandbox } from './sandbox.ts'

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** A program for Node inside: `ask` asks the proxy for a page, `tunnel` for a way. */
const CLIENT = `
  const http = require('node:http')
  const proxy = new URL(process.env.HTTP_PROXY ?? 'http://127.0.0.1:1')
  const at = { host: proxy.hostname, port: proxy.port }
  const text = async (stream) => { let all = ''; for await (const part of stream) all += part; return all }
  const ask = (url, more = {}) => new Promise((done) => {
    const { body = '', ...options } = more
    http.request({ ...at, path: url, ...options }, async (res) => done(res.statusCode + ' ' + (await text(res)).trim()))
      .on('error', (error) => done(error.code)).end(body)
  })
  const tunnel = (authority, said) => new Promise((done) => {
    http.request({ ...at, method: 'CONNECT', path: authority })
      .on('connect', async (res, socket, head) => {
        if (res.statusCode === 200) socket.write(said)
        done(res.statusCode + ' ' + (head + await text(socket)).trim())
      })
      .on('error', (error) => done(error.code)).end()
  })
  const direct = (port) => new Promise((done) => {
    http.get({ host: '127.0.0.1', port }, async (res) => done(await text(res))).on('error', (error) => done(error.code))
  })
`

async function inside(script: string, network: Sandbox['network'], more: Partial<Sandbox> = {}) {
  const program = `${CLIENT}; (async () => { ${script} })()`
  const cwd = temporaryFolder()
  const running = run('', { argv: ['node', '-e', program], cwd, sandbox: boxed({ network, ...more }) })
  const stdout = await stdoutOf(running)
  return { ...(await running.exited), stdout, stderr: running.stderrTail() }
}

describeBoxed('the way out of a sandbox', () => {
  it('[D15] leads to a host that is listed, by a page and by a tunnel', async () => {
    const port = await serve((req, res) => {
      void (async () => {
        let body = ''
        for await (const part of req) body += part
        res.end(`${req.method} ${req.url} ${req.headers.host} ${String(req.headers['x-kept'])} ${body}`)
      })()
    })
    const { stdout, stderr } = await inside(
      `console.log(await ask('http://localhost:${port}/page?x=1', { method: 'POST', body: 'hello', headers: { 'x-kept': 'yes', 'proxy-connection': 'close' } }))
       console.log((await tunnel('localhost:${port}', 'GET / HTTP/1.0\\r\\nHost: here\\r\\n\\r\\n')).split('\\r\\n\\r\\n')[1])`,
      { kind: 'limited', hosts: [`localhost:${port}`], ports: [] },
    )
    expect([stdout, stderr]).toEqual([
      `200 POST /page?x=1 localhost:${port} yes hello\nGET / here undefined\n`,
      '',
    ])
  })

  it('[D15] leads nowhere else, and tells who was refused and why', async () => {
    let visits = 0
    const port = await serve((_, res) => {
      visits++
      res.end()
    })
    const refused: RefusedConnection[] = []
    const tries = [
      `await ask('http://example.org:81/')`,
      `await ask('http://127.0.0.1:${port}/')`,
      `await tunnel('127.0.0.1:${port}', '')`,
      `await tunnel('0x7f.1:${port}', '')`,
      `await tunnel('[::ffff:127.0.0.1]:${port}', '')`,
      `await tunnel('169.254.169.254:80', '')`,
      `await tunnel('localhost:${port}', '')`,
      `await ask('/')`,
      `await tunnel('no-port', '')`,
    ]
    const { stdout } = await inside(
      `console.log(JSON.stringify([${tries.join(', ')}]))`,
      {
        kind: 'limited',
        hosts: ['*.example.com', '*:80', `*:${port}`],
        ports: [],
      },
      { onRefused: (one) => void refused.push(one) },
    )
    const answers = JSON.parse(stdout) as string[]
    expect(answers.slice(0, 7).map((answer) => answer.slice(0, 3))).toEqual(Array(7).fill('403'))
    expect(answers.slice(7).map((answer) => answer.slice(0, 3))).toEqual(['400', '400'])
    expect(visits).toBe(0)
    expect(refused.map(({ host }) => host)).toEqual([
      'example.org',
      ...['127.0.0.1', '127.0.0.1', '127.0.0.1', '::ffff:7f00:1', '169.254.169.254', 'localhost'],
    ])
    expect(refused.at(-1)?.why).toBe(
      `localhost:${port} leads to 127.0.0.1, which is not public and not listed itself.`,
    )
  })

  it('[D15] has nothing but the doors: neither the network nor another port of this machine', async () => {
    const [mine, other] = [
      await serve((_, res) => res.end('door')),
      await serve((_, res) => res.end('other')),
    ]
    const script = `console.log(await direct(${mine}), await direct(${other}), process.env.HTTP_PROXY)`
    const limited = { kind: 'limited', hosts: [], ports: [mine] } as const
    expect((await inside(script, limited)).stdout).toBe('door ECONNREFUSED undefined\n')
    const closed = { kind: 'limited', hosts: [], ports: [] } as const
    expect((await inside(script, closed)).stdout).toBe('ECONNREFUSED ECONNREFUSED undefined\n')
  })

  it('[D15] a listed port of this machine is reached directly, as programs do', async () => {
    const port = await serve((_, res) => res.end('door'))
    const script = `console.log(await direct(${port}), await ask('http://localhost:${port}/'))`
    const { stdout } = await inside(script, {
      kind: 'limited',
      hosts: [`localhost:${port}`, 'localhost:80'],
      ports: [],
    })
    expect(stdout).toBe('door 200 door\n')
  })

  it('carries much in both directions, and ends with the program', async () => {
    const echo = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
    onTestFinished(() => void echo.close())
    await new Promise((resolve) => echo.once('listening', resolve))
    const { port } = echo.address() as AddressInfo
    const size = 8 * 1024 * 1024
    const script = `
      const socket = require('node:net').connect(${port}, '127.0.0.1')
      let got = 0
      socket.on('data', (part) => { got += part.length; if (got === ${size}) { console.log('all'); process.exit(7) } })
      socket.write(Buffer.alloc(${size}))`
    const result = await inside(script, { kind: 'limited', hosts: [], ports: [port] })
    expect(result).toMatchObject({ stdout: 'all\n', code: 7, error: null })
    const left = () => new Promise((resolve) => echo.getConnections((_, count) => resolve(count)))
    await expect.poll(left).toBe(0)
  })

  it('leaves nothing of ours in there', async () => {
    const port = await serve((_, res) => res.end())
    const script = `
      set -- /proc/[0-9]*; echo $#
      for fd in 3 4 5 6 7 8 9; do (: >&$fd) 2>/dev/null && echo $fd; done
      env | grep NODE`
    const running = run(script, {
      sandbox: boxed({ network: { kind: 'limited', hosts: [], ports: [port] } }),
    })
    // The first process of the sandbox, and this shell.
    expect(await stdoutOf(running)).toBe('2\n')
  })

  it('tells where the program is missing', async () => {
    const sandbox = boxed({ network: { kind: 'limited', hosts: ['example.com'], ports: [] } })
    const running = run('', { argv: ['no-such-program'], sandbox })
    expect((await running.exited).error).toBe('The program no-such-program was not found.')
  })
})
