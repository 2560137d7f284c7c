import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { NOTHING_COUNTED, openQuietly, openSession, saidIn } from '../contract.fixture.ts'
import { temporaryFolder } from '../process/process.fixture.ts'
import { createAcpDriver } from './driver.ts'
import { oddAgent } from './odd-agent.fixture.ts'

const driver = createAcpDriver({ registry: null, version: '1.2.3', leaveMs: 50, graceMs: 100 })

interface Called {
  readonly method?: string
}

describe('opening a session', () => {
  it('says who we are and learns who the agent is', async () => {
    const launch = oddAgent(`initialize: (id, { clientInfo }) => send({ id, result: {
      protocolVersion: 1, agentInfo: { name: clientInfo.name + ' says', version: clientInfo.version } } })`)
    const { session } = await openSession(driver, launch)
    expect(session).toMatchObject({
      id: 'odd',
      resumed: false,
      agent: { name: 'signalbox says', version: '1.2.3' },
    })
  })

  it('fails where the agent wants a login, and says how', async () => {
    const launch = oddAgent(`
      initialize: (id) => send({ id, result: { protocolVersion: 1,
        authMethods: [{ id: 'x', name: 'Log in with the browser', description: 'run "odd login"' }] } }),
      'session/new': (id) => refuse(id, -32000, 'Authentication required')`)
    const opened = await openQuietly(driver, launch)
    expect(opened).toMatchObject({ trouble: 'failed', detail: expect.stringContaining('needs a login') })
    expect(opened).toMatchObject({ detail: expect.stringContaining('run "odd login"') })
  })

  it('is limited where the agent says so at once', async () => {
    const launch = oddAgent(
      `'session/new': (id) => refuse(id, -32603, 'Quota exceeded; resets at 2030-01-01T00:00:00Z')`,
    )
    const until = Date.parse('2030-01-01T00:00:00Z')
    expect(await openQuietly(driver, launch)).toMatchObject({ trouble: 'limited', until })
  })

  it('fails where the program ends at once, with its last words', async () => {
    const launch = oddAgent(`initialize: () => { console.error('no model configured'); process.exit(2) }`)
    const detail = expect.stringMatching(/exit code 2[\s\S]*no model configured/)
    expect(await openQuietly(driver, launch)).toMatchObject({ trouble: 'failed', detail })
  })

  it.each([
    ['initialize', 300, 'initialize: () => {}', 'did not answer `initialize` within 0.3 s.'],
    // Long enough to start on a busy machine, and to answer the first call.
    [
      'session/new',
      3_000,
      `'session/new': () => {}`,
      'answered `initialize`, and then not `session/new` within 3 s.',
    ],
  ])(
    'fails where the program does not answer %s in time, and says so',
    async (_call, startMs, methods, says) => {
      const launch = oddAgent(methods)
      const unheard = { onUpdate: () => {}, onPermission: async () => null, onWire: null }
      const opened = await driver.open({
        launch,
        resume: null,
        mcp: null,
        counted: NOTHING_COUNTED,
        startMs,
        ...unheard,
      })
      expect(opened).toEqual({ trouble: 'failed', detail: `${process.execPath} ${says}` })
    },
  )

  it('[D9] waits no longer for an answer once nobody wants the session any more, and ends its program', async () => {
    const cwd = temporaryFolder()
    const launch = oddAgent(
      `initialize: () => appendFileSync(${JSON.stringify(join(cwd, 'pid'))}, String(process.pid)), leave: () => {}`,
      cwd,
    )
    const unheard = { onUpdate: () => {}, onPermission: async () => null, onWire: null }
    const left = new AbortController()
    const rest = { resume: null, mcp: null, counted: NOTHING_COUNTED, startMs: 600_000, ...unheard }
    const opening = driver.open({ launch, ...rest, signal: left.signal })
    const pid = await until(
      () => existsSync(join(cwd, 'pid')) && Number(readFileSync(join(cwd, 'pid'))),
      'it starts',
    )
    left.abort()
    expect(await opening).toEqual({
      trouble: 'failed',
      detail: `${process.execPath} was stopped before it was open.`,
    })
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('fails where the program speaks another protocol', async () => {
    const other = oddAgent('initialize: (id) => send({ id, result: { protocolVersion: 99 } })')
    expect(await openQuietly(driver, other)).toMatchObject({ detail: expect.stringContaining('version 99') })
    const none = oddAgent('initialize: () => { console.log("Usage: odd [options]"); process.exit(0) }')
    expect(await openQuietly(driver, none)).toMatchObject({ trouble: 'failed' })
  })

  it.each([
    ['does not know the word', `(id) => refuse(id, -32601, 'Method not found')`],
    ['has lost it', `(id) => refuse(id, -32002, 'Resource not found')`],
  ])('[D2] [agents 10] loads where one that offers to resume %s', async (_, resume) => {
    const sent: (string | undefined)[] = []
    const can = `initialize: can({ loadSession: true, sessionCapabilities: { resume: {} } }), 'session/resume': ${resume}`
    const loads = oddAgent(
      `${can}, 'session/load': (id) => { say('an old answer'); send({ id, result: {} }) }`,
    )
    const { session, updates } = await openSession(driver, loads, {
      resume: 'odd',
      onWire: (direction, message) => direction === 'out' && sent.push((message as Called).method),
    })
    expect(sent).toEqual(['initialize', 'session/resume', 'session/load'])
    expect(session).toMatchObject({ id: 'odd', resumed: true })
    expect(await session.prompt('Go on.')).toMatchObject({ text: 'ok' })
    expect(saidIn(updates)).toBe('ok')
    const neither = oddAgent(`${can}, 'session/load': (id) => refuse(id, -32603, 'lost')`)
    expect(await openQuietly(driver, neither, 'odd')).toMatchObject({ trouble: 'no-session' })
  })

  it('[D2] is not there any more where an agent loads it and knows nothing of it', async () => {
    const empty = oddAgent(`
      initialize: can({ loadSession: true }),
      'session/load': (id) => { update({ sessionUpdate: 'available_commands_update' }); send({ id, result: {} }) }`)
    expect(await openQuietly(driver, empty, 'odd')).toMatchObject({ trouble: 'no-session' })
    const late = oddAgent(`
      initialize: can({ loadSession: true }),
      'session/load': (id) => { send({ id, result: {} }); setTimeout(() => say('what was said'), 50) }`)
    expect((await openSession(driver, late, { resume: 'odd' })).session.resumed).toBe(true)
  })

  it('[D2] is not loaded where resuming was refused for a limit or a login', async () => {
    const can = `initialize: can({ loadSession: true, sessionCapabilities: { resume: {} } })`
    const refused = oddAgent(
      `${can}, 'session/resume': (id) => refuse(id, -32000, 'Authentication required')`,
    )
    expect(await openQuietly(driver, refused, 'odd')).toMatchObject({
      trouble: 'failed',
      detail: expect.stringContaining('needs a login'),
    })
  })

  it.each([
    ['with the answer', `{ usage: { totalTokens: 330 } }`],
    [
      'among what is its own',
      `{ _meta: { quota: { token_count: { input_tokens: 300, output_tokens: 30 } } } }`,
    ],
  ])('[D18] counts the tokens of a turn that come %s', async (_, more) => {
    const launch = oddAgent(
      `'session/prompt': (id) => { say('ok'); send({ id, result: { stopReason: 'end_turn', ...${more} } }) }`,
    )
    const { session, updates } = await openSession(driver, launch)
    await session.prompt('Go.')
    expect(updates).toContainEqual({ kind: 'usage', costUsd: null, tokens: 330 })
  })

  it('shows the wire as it was, both ways', async () => {
    const wire: string[] = []
    const onWire = (direction: string, message: unknown) => {
      const { method, result } = message as { method?: string; result?: unknown }
      wire.push(`${direction} ${method ?? (result ? 'result' : 'error')}`)
    }
    const { session } = await openSession(driver, oddAgent(''), { onWire })
    await session.prompt('Go.')
    expect(wire).toEqual([
      'out initialize',
      'in result',
      'out session/new',
      'in result',
      'out session/prompt',
      'in session/update',
      'in result',
    ])
  })

  it('tells nothing after it was closed', async () => {
    const { session, updates } = await openSession(
      driver,
      oddAgent(`leave: () => { say('bye'); process.exit(0) }`),
    )
    await session.prompt('Go.')
    await session.close()
    expect(saidIn(updates)).toBe('ok')
  })
})
