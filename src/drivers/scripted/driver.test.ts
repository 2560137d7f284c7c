import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { toolServer } from '../acp/odd-agent.fixture.ts'
import { bundledAgent } from '../bundle.fixture.ts'
import { openQuietly, openSession } from '../contract.fixture.ts'
import type { Launch, OpenRequest } from '../driver.ts'
import { env, temporaryFolder } from '../process/process.fixture.ts'
import { createScriptedDriver } from './driver.ts'
import type { ScriptAction, ScriptSession } from './script.ts'

const agentFile = bundledAgent()
const driver = () => createScriptedDriver({ registry: null, agentFile })

function launchOf(
  sessions: readonly Partial<ScriptSession>[],
  more: Readonly<Record<string, string>> = {},
): Launch {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'script.json'), JSON.stringify({ sessions }))
  const argv = ['--script', join(cwd, 'script.json'), '--state', join(cwd, 'state')]
  return { argv, cwd, env: { ...env, ...more }, sandbox: null }
}

async function play(
  turn: readonly ScriptAction[],
  more: Partial<OpenRequest> & { env?: Record<string, string> } = {},
) {
  const { env: variables, ...rest } = more
  const launch = launchOf([{ turns: [turn] }], variables)
  const opened = await openSession(driver(), launch, rest)
  return { ...opened, cwd: launch.cwd, end: await opened.session.prompt('Go.') }
}

describe('a scripted agent', () => {
  it('works on files and runs commands, each as a tool call', async () => {
    const { cwd, end, updates } = await play([
      { say: 'I begin.' },
      { write: { path: 'src/a.txt', text: 'one\n' } },
      { append: { path: 'src/a.txt', text: 'two\n' } },
      { run: 'wc -l < src/a.txt > count; exit 3' },
      { vibe: { choice: 'go' } },
      { think: 'Hm.' },
      { repeat: { times: 2, do: [{ say: 'Done. ' }] } },
    ])
    expect(end).toEqual({ kind: 'ended', reason: 'end_turn', text: 'Done. Done.', toolCalls: 4 })
    expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(readFileSync(join(cwd, 'count'), 'utf8').trim()).toBe('2')
    expect(JSON.parse(readFileSync(join(cwd, '.vibe/decision.json'), 'utf8'))).toEqual({ choice: 'go' })
    const ends = updates.filter((update) => update.kind === 'tool' && update.status !== 'in_progress')
    expect(ends).toMatchObject([
      { status: 'completed' },
      { status: 'completed' },
      { status: 'failed' },
      { status: 'completed' },
    ])
  })

  it('answers in a file, in a message or through a tool', async () => {
    const answer = { choice: 'approve', notes: 'fine' }
    const file = join(temporaryFolder(), 'answer.json')
    await play([{ answer, via: 'file' }], { env: { SIGNALBOX_ANSWER_FILE: file } })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(answer)

    const { end } = await play([{ answer, via: 'message' }])
    expect(end).toMatchObject({ text: expect.stringMatching(/^```json\n[\s\S]*"approve"[\s\S]*\n```$/) })

    const server = await toolServer()
    const mcp = { name: 'signalbox', url: server.url, token: 't', bridge: [] }
    await play(
      [{ answer, via: 'mcp' }, { tool: { name: 'create_decision', arguments: { headline: 'h' } } }],
      { mcp },
    )
    const calls = server.heard.filter(({ method }) => method === 'tools/call').map(({ params }) => params)
    expect(calls).toEqual([
      { name: 'report_outcome', arguments: answer },
      { name: 'create_decision', arguments: { headline: 'h' } },
    ])
  })

  it('looks at the tools it is offered before it is prompted', async () => {
    const server = await toolServer()
    await openSession(driver(), launchOf([{ turns: [[]] }]), {
      mcp: { name: 's', url: server.url, token: 't', bridge: [] },
    })
    await until(() => server.heard.some(({ method }) => method === 'tools/list'), 'it lists the tools')
  })

  it('plays the first session that fits where it is, and its last turn again and again', async () => {
    const launch = launchOf(
      [
        { when: { step: 'review' }, turns: [[{ say: 'not here' }]] },
        { when: { step: 'develop', visit: 1 }, turns: [[{ say: 'not yet' }]] },
        {
          when: { step: 'develop', visit: 2, member: 0, agent: 'dev', prompt: 'tests' },
          turns: [[{ say: 'this' }], [{ say: 'again' }]],
        },
        { turns: [[{ say: 'otherwise' }]] },
      ],
      { SIGNALBOX_STEP: 'develop', SIGNALBOX_VISIT: '2', SIGNALBOX_MEMBER: '0', SIGNALBOX_AGENT: 'dev' },
    )
    const { session } = await openSession(driver(), launch)
    expect(await session.prompt('Write the tests.')).toMatchObject({ text: 'this' })
    for (const _ of [1, 2]) expect(await session.prompt('Go on.')).toMatchObject({ text: 'again' })
    const other = await openSession(driver(), launch)
    expect(await other.session.prompt('Write the code.')).toMatchObject({ text: 'otherwise' })
  })

  it('says so where no session fits', async () => {
    const launch = launchOf([{ when: { step: 'review' }, turns: [[]] }], { SIGNALBOX_STEP: 'develop' })
    const { session } = await openSession(driver(), launch)
    const detail = expect.stringMatching(/No session of the script fits .*"develop"/)
    expect(await session.prompt('Go.')).toMatchObject({ kind: 'crashed', detail })
  })

  it('stops for the reason it is told', async () => {
    const { end } = await play([{ say: 'I would rather not.' }, { stop: 'refusal' }, { say: 'never said' }])
    expect(end).toMatchObject({ reason: 'refusal', text: 'I would rather not.' })
  })

  it('stops waiting and running when it is cancelled', async () => {
    const launch = launchOf([{ turns: [[{ wait: 600_000 }], [{ run: 'sleep 600' }]] }])
    const { session } = await openSession(driver(), launch)
    for (const _ of [1, 2]) {
      const end = session.prompt('Go.')
      await session.cancel()
      expect(await end).toMatchObject({ reason: 'cancelled' })
    }
  })

  it('does not start with a script it cannot read', async () => {
    const launch = launchOf([{ turns: [[{ shout: 'hi' } as unknown as ScriptAction]] }])
    const detail = expect.stringMatching(/exit code 2[\s\S]*turns\[0]\[0] should be one of say/)
    expect(await openQuietly(driver(), launch)).toMatchObject({ trouble: 'failed', detail })
  })
})
