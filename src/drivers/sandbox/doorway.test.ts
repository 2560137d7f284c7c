/** What leads out of a real sandbox, to real servers on this machine. */
import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { run, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import { attendDoors } from './doorway.ts'
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

it('[D21] a socket that arrives after its sandbox has ended is closed', async () => {
  const child = new EventEmitter() as ChildProcess
  const network = { hosts: ['*'], ports: [] }
  const end = attendDoors(child, { network, onRefused: () => {} })
  const [early, late] = [createTcpServer().listen(0), createTcpServer().listen(0)]
  await Promise.all([once(early, 'listening'), once(late, 'listening')])
  child.emit('message', 'tcp 3128', early)
  expect(early.listening).toBe(true)
  end()
  child.emit('message', 'tcp 443', late)
  expect([early.listening, late.listening]).toEqual([false, false])
})

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
      { hosts: [`localhost:${port}`], ports: [] },
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
      `localhost:${port} leads to 127.0.0.1, which is this machine or its link and not listed itself.`,
    )
  })

  it('[D15] has nothing but the doors: neither the network nor another port of this machine', async () => {
    const [mine, other] = [
      await serve((_, res) => res.end('door')),
      await serve((_, res) => res.end('other')),
    ]
    const script = `console.log(await direct(${mine}), await direct(${other}), process.env.HTTP_PROXY)`
    const limited = { hosts: [], ports: [mine] } as const
    expect((await inside(script, limited)).stdout).toBe('door ECONNREFUSED undefined\n')
    const closed = { hosts: [], ports: [] } as const
    expect((await inside(script, closed)).stdout).toBe('ECONNREFUSED ECONNREFUSED undefined\n')
  })

  it('[D15] a listed port of this machine is reached directly, as programs do', async () => {
    const port = await serve((_, res) => res.end('door'))
    const script = `console.log(await direct(${port}), await ask('http://localhost:${port}/'))`
    const { stdout } = await inside(script, {
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
    const result = await inside(script, { hosts: [], ports: [port] })
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
      sandbox: boxed({ network: { hosts: [], ports: [port] } }),
    })
    // The first process of the sandbox, and this shell.
    expect(await stdoutOf(running)).toBe('2\n')
  })

  it('tells where the program is missing', async () => {
    const sandbox = boxed({ network: { hosts: ['example.com'], ports: [] } })
    const running = run('', { argv: ['no-such-program'], sandbox })
    expect((await running.exited).error).toBe('The program no-such-program was not found.')
  })

  it('[D21] the world has a loopback of its own, and nothing of this machine but what is listed', async () => {
    const port = await serve((_, res) => res.end('outside'))
    const own = createTcpServer((socket) => socket.end('outside')).listen(0, '::')
    onTestFinished(() => void own.close())
    await new Promise((resolve) => own.once('listening', resolve))
    const any = (own.address() as AddressInfo).port
    const addresses = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).map(({ address }) => address),
    )
    const mapped = addresses.filter((address) => !address.includes(':')).map((address) => `::ffff:${address}`)
    const hosts = [
      ...new Set([...addresses, ...mapped, '0.0.0.0', '127.9.9.9', 'localhost', '::ffff:0.0.0.0']),
    ]
    const script = `
      const server = http.createServer((_, res) => res.end('inside')).listen(${port}, '127.0.0.1')
      await new Promise((done) => server.once('listening', done))
      console.log(await direct(${port}))
      server.close()
      const reached = (host, port) => new Promise((done) => require('node:net').connect({ host, port })
        .on('data', (said) => done(host + ' ' + said)).on('error', () => done(null)).on('close', () => done(null)))
      const all = [...${JSON.stringify(hosts)}.map((host) => reached(host, ${any})),
        ...${JSON.stringify(hosts)}.map(async (host) => {
          const said = await tunnel((host.includes(':') ? '[' + host + ']' : host) + ':${any}', '')
          return said.includes('outside') ? 'tunnel ' + host : null
        })]
      console.log(JSON.stringify((await Promise.all(all)).filter((each) => each !== null)))`
    expect((await inside(script, { hosts: ['*'], ports: [] })).stdout).toBe('inside\n[]\n')
    const listed = await inside(`console.log(await direct(${port}))`, {
      hosts: ['*', `localhost:${port}`],
      ports: [],
    })
    expect(listed.stdout).toBe('outside\n')
  })

  /** A proxy of the user's, which answers for the whole world. */
  async function world(): Promise<{ url: URL; asked: string[] }> {
    const asked: string[] = []
    const server = createServer()
    server.on('connect', (req, socket) => {
      const [, login = ''] = (req.headers['proxy-authorization'] ?? '').split(' ')
      asked.push([req.url, Buffer.from(login, 'base64').toString()].join(' '))
      socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n\r\n')
      socket.end(`the world at ${req.url}`)
    })
    server.listen(0, '127.0.0.1')
    onTestFinished(() => server.close().closeAllConnections())
    await new Promise((resolve) => server.once('listening', resolve))
    return { url: new URL(`http://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}`), asked }
  }

  const SPEAK = `
    const speak = (port, host) => new Promise((done) => {
      let all = ''
      require('node:net').connect({ port, host, autoSelectFamily: false }).on('data', (part) => { all += part })
        .on('close', () => done(all)).on('error', (error) => done(error.code))
    })`

  it('[D23] programs that know of no proxy reach hosts by the ports of ssh, http and https, and listed lower ones', async () => {
    const { url, asked } = await world()
    const script = `${SPEAK}
      for (const port of [22, 80, 443, 389, 8443]) console.log(await speak(port, 'host.example'))
      console.log(await speak(443, '203.0.113.7'), await speak(443, 'localhost'))`
    const { stdout } = await inside(script, {
      hosts: ['host.example', 'host.example:389', '203.0.113.7:443'],
      ports: [],
      upstream: { url, except: [] },
    })
    const [ssh, http, https, ldap, other, rest] = stdout.split('\n')
    expect([ssh, http, https, ldap]).toEqual(
      [22, 80, 443, 389].map((port) => `the world at host.example:${port}`),
    )
    expect([other, rest]).toEqual(['ECONNREFUSED', expect.stringMatching(/ (?:ECONNRESET|)$/)])
    expect(asked).toContain('host.example:22 me:secret')
  })

  it('[D24] a name that may not be reached is asked of nobody, and told', async () => {
    const { url, asked } = await world()
    const refused: RefusedConnection[] = []
    const network = { hosts: ['host.example'], ports: [], upstream: { url, except: [] } }
    const script = `${SPEAK}
      console.log(await speak(443, 'a-secret-word.example'), await speak(443, 'sub.host.example'))
      console.log(Object.keys(process.env).filter((name) => process.env[name].includes('secret')).join())`
    const { stdout } = await inside(script, network, { onRefused: (one) => void refused.push(one) })
    expect(stdout).toBe('ENOTFOUND ENOTFOUND\n\n')
    expect(asked).toEqual([])
    expect(refused.map(({ host, port }) => [host, port])).toEqual(
      expect.arrayContaining([
        ['a-secret-word.example', null],
        ['sub.host.example', null],
      ]),
    )
  })

  it('[D23] leads out by the proxy alone where perl cannot make the network', async () => {
    const { url } = await world()
    const network = { hosts: ['*'], ports: [], upstream: { url, except: [] } }
    const engine = { ...boxed({}).engine, perl: null } as Sandbox['engine']
    const script = `${SPEAK}
      console.log(await speak(443, '203.0.113.7'), await tunnel('host.example:443', ''))`
    expect((await inside(script, network, { engine })).stdout).toMatch(
      /^E\w+ 200 the world at host\.example:443\n$/,
    )
  })
})
