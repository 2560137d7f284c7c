/** What driving real agents has taught, one test or more each; the numbers are those of the list of lessons. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { bundledAgent } from '../bundle.fixture.ts'
import { openQuietly, openSession, saidIn } from '../contract.fixture.ts'
import type { Launch, PermissionKind } from '../driver.ts'
import { env, sleeper, temporaryFolder } from '../process/process.fixture.ts'
import type { ScriptAction } from '../scripted/script.ts'
import { createAcpDriver } from './driver.ts'
import { oddAgent, toolServer } from './odd-agent.fixture.ts'

const agentFile = bundledAgent()
const driver = createAcpDriver({ registry: null })
const hasty = createAcpDriver({ registry: null, cancelMs: 200, leaveMs: 50, graceMs: 100 })

function scripted(turns: readonly (readonly ScriptAction[])[], cwd = temporaryFolder()): Launch {
  const script = join(cwd, 'script.json')
  writeFileSync(script, JSON.stringify({ sessions: [{ turns }] }))
  const argv = [process.execPath, agentFile, '--script', script, '--state', join(cwd, 'state')]
  return { argv, cwd, env, sandbox: null }
}

const OFFERED = {
  name: 'signalbox',
  url: 'http://127.0.0.1:9/mcp',
  token: 'secret',
  bridge: ['/bin/bridge', 'bridge.js'],
}
const REPORT: ScriptAction = { answer: { choice: 'done' }, via: 'mcp' }

describe('an ACP agent', () => {
  it('[D1] [agents 1] has a process, and a token, for each of its sessions', async () => {
    const server = await toolServer()
    const tokens = ['token-one', 'token-two']
    const open = (token: string) =>
      openSession(driver, scripted([[REPORT]]), { mcp: { ...OFFERED, url: server.url, token } })
    const sessions = await Promise.all(tokens.map(open))
    await Promise.all(sessions.map(({ session }) => session.prompt('Go.')))
    const calls = server.heard.filter(({ method }) => method === 'tools/call')
    expect(calls.map(({ token }) => token).sort()).toEqual(tokens)
    const pid = oddAgent(`'session/prompt': (id) => { say(String(process.pid)); end(id) }`)
    const [one, two] = await Promise.all([openSession(driver, pid), openSession(driver, pid)])
    const pids = await Promise.all([one.session.prompt(''), two.session.prompt('')])
    expect(pids[0]).not.toEqual(pids[1])
  })

  it('[agents 2] is offered the MCP server over HTTP with the token as a header', async () => {
    const wire: unknown[] = []
    const launch = oddAgent(`initialize: can({ mcpCapabilities: { http: true } })`)
    await openSession(driver, launch, { mcp: OFFERED, onWire: (_, message) => wire.push(message) })
    const headers = [{ name: 'Authorization', value: 'Bearer secret' }]
    expect(wire).toContainEqual(
      expect.objectContaining({
        method: 'session/new',
        params: {
          cwd: launch.cwd,
          mcpServers: [{ type: 'http', name: 'signalbox', url: OFFERED.url, headers }],
        },
      }),
    )
  })

  it('[agents 2] is offered a program to start where it cannot do HTTP, with the token out of sight of others', async () => {
    const wire: unknown[] = []
    const launch = oddAgent('')
    await openSession(driver, launch, { mcp: OFFERED, onWire: (_, message) => wire.push(message) })
    const env = [
      { name: 'SIGNALBOX_MCP_URL', value: OFFERED.url },
      { name: 'SIGNALBOX_MCP_TOKEN', value: 'secret' },
    ]
    const bridge = { name: 'signalbox', command: '/bin/bridge', args: ['bridge.js'], env }
    expect(wire).toContainEqual(
      expect.objectContaining({ method: 'session/new', params: { cwd: launch.cwd, mcpServers: [bridge] } }),
    )
  })

  it.each([
    ['allow_once', 'reject_once'],
    ['allow_always', 'reject_once'],
    ['reject_once', 'allow_once'],
    ['reject_always', 'allow_once'],
    [null, 'cancelled'],
  ] as const)(
    '[agents 4] may wait for a permission as long as it takes, and gets %s by kind',
    async (kind, id) => {
      let decide: (kind: PermissionKind | null) => void = () => {}
      const launch = oddAgent(`
      'session/prompt': (id) => {
        methods.answered = ({ result }) => { say(result.outcome.optionId ?? result.outcome.outcome); end(id) }
        const options = [
          { optionId: 'reject_once', kind: 'allow_once', name: 'Yes' },
          { optionId: 'allow_once', kind: 'reject_once', name: 'No' },
        ]
        send({ id: 'ask', method: 'session/request_permission',
          params: { sessionId: 'odd', toolCall: { toolCallId: 't' }, options } })
      }`)
      const onPermission = () => new Promise<PermissionKind | null>((resolve) => (decide = resolve))
      const { session, updates } = await openSession(driver, launch, { onPermission })
      const end = session.prompt('Go.')
      await until(() => updates.some(({ kind }) => kind === 'tool'), 'it asks')
      decide(kind)
      expect(await end).toMatchObject({ text: id })
    },
  )

  it('[D8] [agents 4] gets all its open permission requests cancelled with the turn', async () => {
    const launch = oddAgent(`
      'session/prompt': (id) => {
        methods.prompt = id
        const options = [{ optionId: 'y', kind: 'allow_once', name: 'Yes' }]
        for (const ask of ['one', 'two'])
          send({ id: ask, method: 'session/request_permission',
            params: { sessionId: 'odd', toolCall: { toolCallId: ask }, options } })
      },
      answered: ({ id, result }) => {
        say(id + ' ' + result.outcome.outcome + '. ')
        if (id === 'two') end(methods.prompt, 'cancelled')
      }`)
    const onPermission = () => new Promise<never>(() => {})
    const { session, updates } = await openSession(driver, launch, { onPermission })
    const end = session.prompt('Go.')
    await until(() => updates.filter(({ kind }) => kind === 'tool').length === 2, 'it asks twice')
    await session.cancel()
    expect(await end).toMatchObject({ reason: 'cancelled', text: 'one cancelled. two cancelled.' })
  })

  it('[agents 5] may cancel what is long over', async () => {
    const launch = oddAgent(`
      'session/prompt': (id) => {
        send({ method: 'notifications/cancelled', params: { requestId: 1 } })
        send({ method: '$/cancel_request', params: { requestId: 99 } })
        say('fine')
        end(id)
        send({ method: 'notifications/cancelled' })
      }`)
    const { session } = await openSession(driver, launch)
    expect(await session.prompt('Go.')).toMatchObject({ text: 'fine' })
    expect(await session.prompt('And again.')).toMatchObject({ text: 'fine' })
  })

  it('[agents 6] is never sent a second prompt while one is open', async () => {
    const prompts: unknown[] = []
    const launch = oddAgent(`'session/prompt': () => say('thinking'), 'session/cancel': () => {}`)
    const onWire = (_: string, message: unknown) => {
      if ((message as { method?: string }).method === 'session/prompt') prompts.push(message)
    }
    const { session, updates } = await openSession(hasty, launch, { onWire })
    const first = session.prompt('One.')
    await until(() => saidIn(updates) === 'thinking', 'it thinks')
    await expect(session.prompt('Two.')).rejects.toThrow()
    // It never answers, so the session is given up with the turn.
    await session.cancel()
    expect(await first).toMatchObject({ reason: 'cancelled', text: 'thinking' })
    expect(await session.prompt('Three.')).toMatchObject({ kind: 'crashed' })
    expect(prompts).toHaveLength(1)
  })

  it('[agents 7] is stopped step by step', async () => {
    const cwd = temporaryFolder()
    const log = join(cwd, 'log')
    const note = (word: string) => `appendFileSync(${JSON.stringify(log)}, '${word} ')`
    const launch = oddAgent(
      `initialize: can({ sessionCapabilities: { close: {} } }),
       'session/prompt': (id) => { methods.prompt = id; say('thinking') },
       'session/cancel': () => { ${note('cancel')}; setTimeout(() => { ${note('answered')}; end(methods.prompt, 'cancelled') }, 50) },
       'session/close': (id) => { ${note('close')}; send({ id, result: {} }) },
       leave: () => { ${note('eof')}; process.once('SIGTERM', () => { ${note('term')}; process.exit(0) }); setInterval(() => {}, 1000) }`,
      cwd,
    )
    const { session, updates } = await openSession(createAcpDriver({ registry: null, leaveMs: 100 }), launch)
    const end = session.prompt('Go.')
    await until(() => saidIn(updates) === 'thinking', 'it thinks')
    await session.close()
    expect(await end).toMatchObject({ reason: 'cancelled' })
    expect(readFileSync(log, 'utf8')).toBe('cancel answered close eof term ')
  })

  it('[agents 7] is killed with what it started, if it will not listen', async () => {
    const sleeping = sleeper()
    const [program, seconds] = sleeping.command.split(' ')
    const launch = oddAgent(`
      'session/prompt': async () => {
        const { spawn } = await import('node:child_process')
        spawn('${program}', ['${seconds}'], { detached: true, stdio: 'inherit' }).unref()
        process.on('SIGTERM', () => {})
        setInterval(() => {}, 1000)
        say(String(process.pid))
      },
      leave: () => {}`)
    const { session, updates } = await openSession(hasty, launch)
    const end = session.prompt('Go.')
    await until(() => sleeping.alive().length === 1 && saidIn(updates) !== '', 'it has started something')
    await session.close()
    await end
    expect(sleeping.alive()).toEqual([])
    expect(existsSync(`/proc/${saidIn(updates)}`)).toBe(false)
  })

  it('[agents 7] has ended when its process has, even if a child still holds its output', async () => {
    const sleeping = sleeper()
    const [program, seconds] = sleeping.command.split(' ')
    const launch = oddAgent(`
      'session/prompt': async () => {
        const { spawn } = await import('node:child_process')
        spawn('${program}', ['${seconds}'], { detached: true, stdio: 'inherit' }).once('spawn', () => process.exit(3))
      }`)
    const { session } = await openSession(driver, launch)
    expect(await session.prompt('Go.')).toMatchObject({
      kind: 'crashed',
      detail: expect.stringContaining('exit code 3'),
    })
    await session.close()
    expect(sleeping.alive()).toEqual([])
  })

  it('[agents 8] may end a turn with an error as its text, or with nothing', async () => {
    const limited = oddAgent(
      `'session/prompt': (id) => { say('Claude AI usage limit reached|1893456000'); end(id) }`,
    )
    const { session } = await openSession(driver, limited)
    expect(await session.prompt('Go.')).toMatchObject({ kind: 'limited', until: 1893456000_000 })
    const mute = await openSession(driver, oddAgent(`'session/prompt': (id) => end(id)`))
    expect(await mute.session.prompt('Go.')).toMatchObject({ kind: 'ended', text: '', toolCalls: 0 })
  })

  it('[agents 8] may answer a prompt with an error', async () => {
    const launch = oddAgent(
      `'session/prompt': (id) => refuse(id, -32603, 'Internal error', { details: 'model is gone' })`,
    )
    const { session } = await openSession(driver, launch)
    expect(await session.prompt('Go.')).toEqual({ kind: 'crashed', detail: 'Internal error: model is gone' })
    const limit = oddAgent(`'session/prompt': (id) =>
      refuse(id, -32603, 'Internal error', { details: 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}' })`)
    const other = await openSession(driver, limit)
    expect(await other.session.prompt('Go.')).toMatchObject({ kind: 'limited', until: null })
  })

  it('[agents 9] tells of its tool calls in pieces', async () => {
    const launch = oddAgent(`
      'session/prompt': (id) => {
        say('Let me look. ')
        tool('t1', { title: 'read', status: 'in_progress' })
        tool('t1', { rawInput: { path: 'a' } })
        tool('t2', { sessionUpdate: 'tool_call', title: 'list' })
        say('Found ')
        tool('t1', { status: 'completed' })
        say('it.')
        end(id)
      }`)
    const { session, updates } = await openSession(driver, launch)
    expect(await session.prompt('Go.')).toMatchObject({ text: 'Found it.', toolCalls: 2 })
    const told = updates.filter((update) => update.kind === 'tool')
    const whole = { kind: 'tool', id: 't1', title: 'read', status: 'completed', input: { path: 'a' } }
    expect(told.at(-1)).toEqual(whole)
    expect(told.find(({ id }) => id === 't2')).toMatchObject({ title: 'list', status: 'pending' })
  })

  it('[agents 10] is resumed rather than loaded, in the same place, with a fresh token', async () => {
    const sent: { method?: string; params?: unknown }[] = []
    const launch = oddAgent(`
      initialize: can({ loadSession: true, sessionCapabilities: { resume: {} }, mcpCapabilities: { http: true } }),
      'session/resume': (id) => send({ id, result: {} })`)
    const { session } = await openSession(driver, launch, {
      resume: 'odd',
      mcp: { ...OFFERED, token: 'fresh' },
      onWire: (direction, message) => direction === 'out' && sent.push(message as object),
    })
    expect(session).toMatchObject({ id: 'odd', resumed: true })
    expect(sent.map(({ method }) => method)).toEqual(['initialize', 'session/resume'])
    expect(sent[1]?.params).toMatchObject({
      sessionId: 'odd',
      cwd: launch.cwd,
      mcpServers: [{ name: 'signalbox' }],
    })
    expect(JSON.stringify(sent)).toContain('Bearer fresh')
  })

  it('[agents 10] is loaded where it cannot resume, and its replay is no answer', async () => {
    const launch = oddAgent(`
      initialize: can({ loadSession: true }),
      'session/load': (id) => {
        say('an old answer')
        update({ sessionUpdate: 'usage_update', used: 500, size: 1000, cost: { amount: 2, currency: 'USD' } })
        send({ id, result: null })
        say(' that goes on')
        setTimeout(() => { tool('old'); say(' and on') }, 20)
      },
      'session/prompt': (id) => {
        say('a new one')
        update({ sessionUpdate: 'usage_update', used: 600, size: 1000, cost: { amount: 2.5, currency: 'USD' } })
        end(id)
      }`)
    const { session, updates } = await openSession(driver, launch, { resume: 'odd' })
    expect(session.resumed).toBe(true)
    expect(await session.prompt('Go on.')).toMatchObject({ text: 'a new one', toolCalls: 0 })
    expect(saidIn(updates)).toBe('a new one')
    expect(updates).toContainEqual({ kind: 'usage', costUsd: 0.5, tokens: 100 })
  })

  it.each([
    ['offers neither', `initialize: can({})`],
    ['refuses', `initialize: can({ loadSession: true }), 'session/load': (id) => refuse(id, -32603, 'lost')`],
    ['ends over it', `initialize: can({ loadSession: true }), 'session/load': () => process.exit(1)`],
  ])('[agents 10] has no session any more when it %s', async (_, methods) => {
    expect(await openQuietly(driver, oddAgent(methods), 'odd')).toMatchObject({ trouble: 'no-session' })
  })

  it('[agents 10] plays an interrupted turn again after kill -9', async () => {
    const launch = scripted([
      [{ say: 'one' }],
      [{ run: 'echo $PPID > pid' }, { hang: true }],
      [{ say: 'three' }],
    ])
    const { session } = await openSession(driver, launch)
    await session.prompt('One.')
    const lost = session.prompt('Two.')
    const pid = join(launch.cwd, 'pid')
    await until(() => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'), 'it hangs')
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
    expect(await lost).toMatchObject({ kind: 'crashed', detail: expect.stringContaining('SIGKILL') })
    await session.close()
    writeFileSync(
      join(launch.cwd, 'script.json'),
      JSON.stringify({ sessions: [{ turns: [[], [{ say: 'two' }]] }] }),
    )
    const later = await openSession(driver, launch, { resume: session.id })
    expect(await later.session.prompt('Two, again.')).toMatchObject({ text: 'two' })
  })

  it('[agents 11] opens although its MCP server is down, and greets a restarted one again', async () => {
    const { session } = await openSession(driver, scripted([[{ say: 'still here' }]]), { mcp: OFFERED })
    expect(await session.prompt('Go.')).toMatchObject({ text: 'still here' })
    const server = await toolServer('events')
    const again = await openSession(driver, scripted([[REPORT]]), { mcp: { ...OFFERED, url: server.url } })
    await again.session.prompt('Go.')
    server.restart()
    await again.session.prompt('And once more.')
    expect(server.heard.map(({ method }) => method).filter((method) => method === 'initialize')).toHaveLength(
      2,
    )
    const tools = again.updates.filter((update) => update.kind === 'tool')
    expect(tools.map(({ status }) => status)).toEqual([
      'in_progress',
      'completed',
      'in_progress',
      'completed',
    ])
  })

  it('[agents 14] may ask for what was not offered', async () => {
    const launch = oddAgent(`
      'session/prompt': (id) => {
        const told = []
        methods.answered = ({ error }) => { if (told.push(error.code) === 2) { say(told.join(' ')); end(id) } }
        send({ method: '_vendor/news', params: {} })
        update({ sessionUpdate: 'from_the_future', wonder: true })
        update(null)
        send({ id: 1, method: 'fs/read_text_file', params: { sessionId: 'odd', path: '/etc/passwd' } })
        send({ id: 2, method: '_vendor/ask', params: {} })
      }`)
    const { session } = await openSession(driver, launch)
    expect(await session.prompt('Go.')).toMatchObject({ text: '-32601 -32601' })
  })
})
