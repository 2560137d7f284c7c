/** Small agents, asked who they are. */
import { describe, expect, it } from 'vitest'
import { sleeper, temporaryFolder } from '../process/process.fixture.ts'
import { oddAgent } from './odd-agent.fixture.ts'
import { probeAcp } from './probe.ts'

describe('a probe', () => {
  it('tells who answers and what it can do, and leaves nothing running', async () => {
    const child = sleeper()
    const agent = oddAgent(`
      initialize: (id) => {
        import('node:child_process').then(({ spawn }) => {
          spawn('sh', ['-c', ${JSON.stringify(`exec ${child.command}`)}], { detached: true, stdio: 'ignore' }).once('spawn', () =>
            send({ id, result: {
              protocolVersion: 1,
              agentInfo: { name: 'odd', version: '1.2' },
              authMethods: [{ id: 'key', name: 'API key' }],
              agentCapabilities: {
                loadSession: true,
                sessionCapabilities: { resume: {}, close: {} },
                mcpCapabilities: { http: true },
                promptCapabilities: { image: true },
              },
            } }))
        })
      },
      'session/new': (id) => send({ id, result: { sessionId: 'odd', models: { currentModelId: 'fast-1', availableModels: [] } } }),`)
    expect(await probeAcp(agent, 20_000)).toEqual({
      name: 'odd',
      version: '1.2',
      protocol: 1,
      resumes: 'resume',
      mcpHttp: true,
      images: true,
      closes: true,
      logins: ['API key'],
      model: 'fast-1',
      noSession: null,
    })
    expect(child.alive()).toEqual([])
  })

  it('takes an agent that says nearly nothing of itself', async () => {
    const agent = oddAgent('initialize: can({ loadSession: true }),')
    expect(await probeAcp(agent, 20_000)).toMatchObject({
      name: '',
      resumes: 'load',
      mcpHttp: false,
      images: false,
      closes: false,
      logins: [],
      model: null,
    })
  })

  it.each([
    [
      'login',
      "'session/new': (id) => refuse(id, -32000, 'Authentication required'),",
      'Authentication required',
    ],
    [
      'login',
      `
      initialize: (id) => send({ id, result: { protocolVersion: 1, authMethods: [{ id: 'a', name: 'Browser' }] } }),
      'session/new': (id) => refuse(id, -32603, 'no credentials yet'),`,
      'no credentials yet',
    ],
    ['refused', "'session/new': (id) => refuse(id, -32603, 'no provider'),", 'no provider'],
    [
      'ended',
      "'session/new': () => { process.stderr.write('oh no'); process.exit(3) },",
      'ended with exit code 3: oh no',
    ],
    ['late', "'session/new': () => {},", 'began no session in time'],
  ] as const)('keeps what is known of one that begins no session: %s', async (kind, methods, says) => {
    const probe = await probeAcp(oddAgent(methods), kind === 'late' ? 4_000 : 20_000)
    expect(probe).toMatchObject({ protocol: 1, noSession: { kind, text: expect.stringContaining(says) } })
  })

  it('tells of a program that talks, but not to us', async () => {
    const agent = oddAgent("initialize: () => { console.log('Welcome!'); console.log('How can I help?') },")
    expect(await probeAcp(agent, 4_000)).toMatchObject({
      kind: 'noise',
      problem: expect.stringMatching(/printed 2 lines, none of it the protocol/),
    })
  })

  it('asks nothing more of one that speaks another version', async () => {
    const agent = oddAgent(`
      initialize: (id) => send({ id, result: { protocolVersion: 7 } }),
      'session/new': () => process.exit(1),`)
    expect(await probeAcp(agent, 20_000)).toMatchObject({ protocol: 7, noSession: null })
  })

  it.each([
    ['refuses', "initialize: (id) => refuse(id, -32000, 'Please log in'),", /refused: Please log in/],
    [
      'ends',
      "initialize: () => { process.stderr.write('no licence'); process.exit(3) },",
      /ended with exit code 3: no licence/,
    ],
    ['is silent', 'initialize: () => {},', /did not answer within 0\.5 seconds/],
  ])('tells of an agent that %s', async (what, methods, says) => {
    const probe = await probeAcp(oddAgent(methods), what === 'is silent' ? 500 : 20_000)
    expect('problem' in probe ? probe.problem : '').toMatch(says)
  })

  it('tells of a program that is missing', async () => {
    const probe = await probeAcp(
      { argv: ['no-such-agent'], cwd: temporaryFolder(), env: {}, sandbox: null },
      20_000,
    )
    expect('problem' in probe ? probe.problem : '').toMatch(/no-such-agent was not found/)
  })
})
