/** An agent that means harm: what it says is too deep, too long, too much or of no language, over every wire it has. */
import type { Script, ScriptSession } from '../../src/drivers/scripted/script.ts'

type Action = ScriptSession['turns'][number][number]

/** Steps of the flow `hostile`, and of no other, begin so; only they may come to a fault for what they said. */
export const isHostile = (step: string): boolean => step.startsWith('shout')

const deepText = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const deepValue = (levels: number): unknown => JSON.parse(deepText(levels))

const update = (rawInput: string): Action => ({
  print: `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"x","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"t","rawInput":${rawInput}}}}`,
})

const DEEP: readonly Action[] = [update(deepText(6_000)), { answer: deepValue(400), via: 'file' }]
const GARBAGE: readonly Action[] = [
  { print: '{"jsonrpc":"2.0","id":1,"result":' },
  { print: '{"jsonrpc":"2.0","id":"nobody asked","result":{}}' },
  { print: '{"jsonrpc":"2.0","id":77,"method":"fs/write_everything","params":{"path":"/etc/passwd"}}' },
  { print: '{"jsonrpc":"2.0","method":"session/update","params":null}' },
  { print: '\u0000\u001b[2J\ufffd{}[]' },
  { tool: { name: 'create_decision', arguments: { headline: deepValue(300), options: 'all of them' } } },
  { tool: { name: 'no_such_tool', arguments: {} } },
  { tool: { name: 'report_outcome', arguments: { said: deepValue(250) } } },
]
const FLOOD: readonly Action[] = [
  update(JSON.stringify('x'.repeat(3_000_000))),
  { repeat: { times: 1_500, do: [{ think: 'And another thing.' }, { print: 'a line of no protocol' }] } },
]

const said: Action = { answer: { said: 'enough' }, via: 'file' }

export const HOSTILE_SCRIPTS: Readonly<Record<string, Script>> = {
  shouter: {
    sessions: [
      { when: { step: 'shout_deep' }, turns: [[...DEEP, { say: 'Hear me.' }]] },
      { when: { step: 'shout_garbage' }, turns: [[...GARBAGE, said]] },
      { when: {}, turns: [[...FLOOD, said]] },
    ],
  },
}
