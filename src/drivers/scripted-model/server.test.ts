/** The scripted model: the same on every wire, and never in need of a memory. */
import { describe, expect, it } from 'vitest'
import { ask, eventsIn, openModel, post, prompt, WIRES } from './model.fixture.ts'
import { NO_SCRIPT, OVER } from './script.ts'

const [chat, messages, responses, gemini] = [WIRES[0]!, WIRES[1]!, WIRES[2]!, WIRES[3]!]

describe.each(WIRES)('$name', (wire) => {
  it.each([true, false])('says what the script says (streaming: %s)', async (stream) => {
    const model = await openModel()
    const said = [prompt({ do: [{ say: 'Hello – wörld.\n' }] })]
    expect(await ask(model, wire, { said, stream })).toBe('Hello – wörld.\n')
  })

  it.each([true, false])('calls a tool by the name it is offered under (streaming: %s)', async (stream) => {
    const model = await openModel()
    const said = [
      prompt({ do: [{ call: 'create_decision', with: { headline: 'Which?', options: [1, 2] } }] }),
    ]
    const tools = ['other', 'mcp__signalbox__create_decision']
    expect(await ask(model, wire, { said, stream, tools })).toEqual({
      tool: 'mcp__signalbox__create_decision',
      input: { headline: 'Which?', options: [1, 2] },
    })
  })

  it('is at the step that so many tool calls lead to', async () => {
    const model = await openModel()
    const script = prompt({ do: [{ call: 'one', with: {} }, { call: 'two', with: {} }, { say: 'three' }] })
    const tools = ['one', 'two']
    const now = (...calls: string[]) =>
      ask(model, wire, {
        said: ['Earlier.', { call: 'one' }, script, ...calls.map((call) => ({ call }))],
        tools,
      })
    expect(await now()).toMatchObject({ tool: 'one' })
    expect(await now('one')).toMatchObject({ tool: 'two' })
    expect(await now('one', 'two')).toBe('three')
    expect(await now('one', 'two', 'one')).toBe(OVER)
  })

  it('plays a later turn when a prompt says its word, and counts from there', async () => {
    const model = await openModel()
    const script = prompt(
      { do: [{ call: 'one', with: {} }, { say: 'I wait.' }] },
      { when: 'Picked: b', do: [{ call: 'two', with: {} }, { say: 'Done.' }] },
    )
    const tools = ['one', 'two']
    const now = (...said: (string | { call: string })[]) =>
      ask(model, wire, { said: [script, ...said], tools })
    expect(await now({ call: 'one' }, 'A word in between')).toBe('I wait.')
    expect(await now({ call: 'one' }, 'Picked: b')).toMatchObject({ tool: 'two' })
    expect(await now({ call: 'one' }, 'Picked: b', { call: 'two' })).toBe('Done.')
    // A fresh session is told all of it at once.
    expect(await ask(model, wire, { said: [`${script}\nPicked: b`], tools })).toMatchObject({ tool: 'two' })
  })

  it('answers what is no turn of the agent with plain text', async () => {
    const model = await openModel()
    const said = [prompt({ do: [{ shell: 'true' }] })]
    const forms = {
      ...{ response_format: {}, output_config: { format: {} }, text: { format: {} } },
      generationConfig: { responseMimeType: 'application/json' },
    }
    for (const side of [{ tools: [] }, { model: 'small' }, { more: forms }])
      expect(await ask(model, wire, { said, ...side })).toBe('A scripted session')
    expect(model.asked.map(({ step }) => step)).toEqual([null, null, null])
    expect(await ask(model, wire, { said: ['No script.'] })).toBe(NO_SCRIPT)
  })

  it('fails as it is told to, and says when to come again', async () => {
    const model = await openModel()
    const failing = (step: { status: number; message: string; retryAfterS?: number }) =>
      post(model, wire, { said: [prompt({ do: [step] })] })
    const broken = await failing({ status: 500, message: 'cold' })
    expect([broken.status, await broken.json()]).toMatchObject([500, { error: { message: 'cold' } }])
    const limited = await failing({ status: 429, message: 'slow down', retryAfterS: 60 })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
  })

  it.each([true, false])('can answer with nothing (streaming: %s)', async (stream) => {
    const model = await openModel()
    expect(await ask(model, wire, { said: [prompt({ do: [{ empty: true }] })], stream })).toBe('')
  })

  it('takes its time, and is closed all the same', async () => {
    const model = await openModel()
    const hanging = post(model, wire, { said: [prompt({ do: [{ say: 'late', afterMs: 600_000 }] })] })
    const cut = hanging.then(
      () => 'answered',
      () => 'cut off',
    )
    await expect.poll(() => model.asked.length).toBe(1)
    await model.close()
    expect(await cut).toBe('cut off')
  })

  it('says which tools there are where the one it wants is missing', async () => {
    const model = await openModel()
    const said = [prompt({ do: [{ call: 'nowhere', with: {} }] })]
    expect(await ask(model, wire, { said, tools: ['one', 'two'] })).toBe(
      'No tool for "nowhere" is offered. There are: one, two',
    )
  })
})

it('tells the usage a step names, where each wire has it', async () => {
  const model = await openModel()
  const said = [prompt({ do: [{ say: 'x', usage: { input: 7, output: 5 } }] })]
  const streamed = async (wire: (typeof WIRES)[number]) =>
    JSON.stringify(eventsIn(await (await post(model, wire, { said, stream: true })).text()))
  expect(await streamed(chat)).toContain('"prompt_tokens":7,"completion_tokens":5,"total_tokens":12')
  expect(await streamed(messages)).toContain('"input_tokens":7')
  expect(await streamed(messages)).toContain('"usage":{"output_tokens":5}')
  expect(await streamed(responses)).toContain('"total_tokens":12')
  expect(await streamed(gemini)).toContain('"totalTokenCount":12')
})

it('knows the shells and the editors of agents', async () => {
  const model = await openModel()
  const tool = (
    step: { shell: string; escalated?: true } | { write: string; text: string },
    name: string,
    parameters: string[],
  ) => {
    const properties = Object.fromEntries(parameters.map((each) => [each, {}]))
    const tools = [{ type: 'function', name, parameters: { properties } }]
    return ask(model, responses, {
      said: [`Worktree: /w (branch b)\n${prompt({ do: [step] })}`],
      more: { tools },
    })
  }
  const shell = { shell: 'ls', escalated: true } as const
  expect(await tool(shell, 'exec_command', ['cmd', 'sandbox_permissions'])).toMatchObject({
    input: { cmd: 'ls', sandbox_permissions: 'require_escalated' },
  })
  expect(await tool(shell, 'shell', ['command'])).toEqual({ tool: 'shell', input: { command: 'ls' } })
  const write = { write: 'a/b.txt', text: 'b' }
  expect(await tool(write, 'Write', ['file_path'])).toMatchObject({
    input: { file_path: '/w/a/b.txt', content: 'b' },
  })
  expect(await tool(write, 'write', ['path'])).toMatchObject({ input: { path: '/w/a/b.txt', content: 'b' } })
  expect(await tool(write, 'write', ['filePath', 'content'])).toMatchObject({
    input: { filePath: '/w/a/b.txt', content: 'b' },
  })
  expect(await tool(write, 'create', ['path', 'file_text'])).toMatchObject({
    input: { path: '/w/a/b.txt', file_text: 'b' },
  })
  expect(await tool(write, 'apply_patch', ['input'])).toEqual({
    tool: 'apply_patch',
    input: { input: '*** Begin Patch\n*** Add File: a/b.txt\n+b\n*** End Patch\n' },
  })
})

it('searches for tools that are not shown, and calls them in their namespace', async () => {
  const model = await openModel()
  const said = [prompt({ do: [{ call: 'create_decision', with: { a: 1 } }] })]
  const tools = [{ type: 'tool_search' }, { type: 'function', name: 'exec_command' }]
  expect(await ask(model, responses, { said, more: { tools } })).toEqual({
    tool: 'tool_search',
    input: { query: 'create_decision', limit: 8 },
  })
  const inner = {
    type: 'namespace',
    name: 'mcp__signalbox',
    tools: [{ type: 'function', name: 'create_decision' }],
  }
  const { input } = responses.body({ said }) as { input: object[] }
  const found = [...input, { type: 'tool_search_call' }, { type: 'tool_search_output', tools: [inner] }]
  expect(await ask(model, responses, { said, more: { tools, input: found } })).toEqual({
    tool: 'mcp__signalbox/create_decision',
    input: { a: 1 },
  })
})

it('searches with the tool that an agent of the chat wire offers for it, which is no step of the script', async () => {
  const model = await openModel()
  const script = prompt({ do: [{ call: 'create_decision', with: { a: 1 } }] })
  const search = { call: 'tool_search' }
  expect(await ask(model, chat, { said: [script], tools: ['tool_search'] })).toEqual({
    tool: 'tool_search',
    input: { query: 'create_decision' },
  })
  expect(
    await ask(model, chat, { said: [script, search], tools: ['tool_search', 'signalbox-create_decision'] }),
  ).toEqual({ tool: 'signalbox-create_decision', input: { a: 1 } })
})

it('greets whoever looks whether it is there', async () => {
  const model = await openModel()
  expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(200)
  expect(await (await fetch(`${model.url}/v1/models`)).json()).toEqual({ object: 'list', data: [] })
  expect((await fetch(`${model.url}/v1/what`, { method: 'POST', body: '{}' })).status).toBe(404)
  expect((await fetch(`${model.url}/v1/responses`, { method: 'POST', body: '{' })).status).toBe(400)
})
