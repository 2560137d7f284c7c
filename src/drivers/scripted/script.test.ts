import { describe, expect, it } from 'vitest'
import { parseScript } from './script.ts'

const problemsOf = (value: unknown): readonly string[] => {
  const parsed = parseScript(value)
  return 'problems' in parsed ? parsed.problems : []
}

const turn = (...actions: unknown[]) => ({ sessions: [{ turns: [actions] }] })

describe('a script', () => {
  it('may use every action', () => {
    const actions = [
      { say: 'a' },
      { think: 'b' },
      { write: { path: 'p', text: 't' } },
      { append: { path: 'p', text: 't' } },
      { run: 'true' },
      { spawn: 'true' },
      { wait: 1 },
      { answer: { choice: 'x' }, via: 'file' },
      { tool: { name: 'n', arguments: {} } },
      {
        permission: { title: 't', kind: 'execute', input: { command: 'c' } },
        allowed: [{ say: 'y' }],
        rejected: [],
      },
      { usage: { costUsd: 0.5, tokens: 1 } },
      { repeat: { times: 2, do: [{ say: 'z' }] } },
      { crash: 1 },
      { hang: true },
      { stop: 'refusal' },
      { limit: { text: 'l' } },
      { vibe: {} },
      { print: 'noise' },
    ]
    const sessions = [
      { when: { step: 's', visit: 1, member: 0, agent: 'a', prompt: 'p' }, turns: [actions, []] },
      { when: {}, turns: [[]] },
    ]
    expect(parseScript({ sessions })).toEqual({ script: { sessions } })
  })

  it.each([
    [null, 'script should be an object, and is null'],
    [{}, 'script.sessions should be one session or more, and is missing'],
    [{ sessions: [{}] }, 'script.sessions[0].turns should be one turn or more, and is missing'],
    [{ sessions: [{ turns: [{}] }] }, 'script.sessions[0].turns[0] should be a list, and is {}'],
    [
      turn({ sya: 'hi' }),
      /^script\.sessions\[0]\.turns\[0]\[0] should be one of say, .*, and is {"sya":"hi"}$/,
    ],
    [turn({ say: 'hi', via: 'file' }), 'script.sessions[0].turns[0][0] has no "via"; it may have say'],
    [
      turn({ answer: {} }),
      'script.sessions[0].turns[0][0].via should be one of file, message, mcp, and is missing',
    ],
    [
      turn({ write: { path: 1, text: '' } }),
      'script.sessions[0].turns[0][0].write.path should be text, and is 1',
    ],
    [turn({ wait: -1 }), 'script.sessions[0].turns[0][0].wait should be a whole number, and is -1'],
    [turn({ hang: false }), 'script.sessions[0].turns[0][0].hang should be true, and is false'],
    [
      turn({ repeat: { times: 2, do: [{ say: 3 }] } }),
      'script.sessions[0].turns[0][0].repeat.do[0].say should be text, and is 3',
    ],
  ])('is told what is wrong with %j', (value, problem) => {
    const found = problemsOf(value)
    expect(
      found.some((line) => (typeof problem === 'string' ? line === problem : problem.test(line))),
      found.join('\n'),
    ).toBe(true)
  })
})
