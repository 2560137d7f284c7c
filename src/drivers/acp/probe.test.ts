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
              agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} }, mcpCapabilities: { http: true } },
            } }))
        })
      },`)
    expect(await probeAcp(agent, 20_000)).toEqual({
      name: 'odd',
      version: '1.2',
      protocol: 1,
      resumes: 'resume',
      mcpHttp: true,
      logins: ['API key'],
    })
    expect(child.alive()).toEqual([])
  })

  it('takes an agent that says nearly nothing of itself', async () => {
    const agent = oddAgent('initialize: can({ loadSession: true }),')
    expect(await probeAcp(agent, 20_000)).toMatchObject({
      name: '',
      resumes: 'load',
      mcpHttp: false,
      logins: [],
    })
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
