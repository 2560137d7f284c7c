/** What a config file may look like. */
import type { ObjectShape, Shape } from '../runbook/shape.ts'

const text = (doc: string): Shape => ({ kind: 'text', doc })
const oneOf = (values: readonly string[], doc: string): Shape => ({ kind: 'text', values, doc })
const count = (doc: string): Shape => ({ kind: 'integer', min: 1, max: 64, doc })
const object = (doc: string, fields: Readonly<Record<string, Shape>>): ObjectShape => ({
  kind: 'object',
  doc,
  required: [],
  fields,
})
const paths = (doc: string): Shape => ({
  kind: 'list',
  of: text('A path, absolute or in your home folder: `~/.cache`.'),
  least: 0,
  doc,
})

/** Of these an entry has one, or it changes parts of a ready one. */
export const PROGRAM_KEYS = ['acp', 'command', 'scripted'] as const

const agent: Shape = {
  kind: 'either',
  doc: 'The name of another entry, or a map that says which program it is.',
  of: [
    text('The name of another entry.'),
    object('The program that plays an agent.', {
      acp: text('The command line of an agent that speaks the Agent Client Protocol: `my-agent --acp`.'),
      command: text('The command line of a plain program that takes a prompt and answers.'),
      scripted: text('The script that the scripted agent plays, relative to this file.'),
      prompt: oneOf(['stdin', 'file'], 'How a plain command gets its prompt.'),
      env: { kind: 'anything', doc: 'Variables of its environment: `{ KEY: "value" }`.' },
      keeps: paths('Where it keeps its own settings and sessions; it may write there.'),
      permissions: oneOf(
        ['auto', 'ask', 'allow', 'reject'],
        'What its requests for permission are answered with. `auto`: allowed inside the sandbox, else you are asked.',
      ),
    }),
  ],
}

export const CONFIG: ObjectShape = {
  noun: 'config',
  ...object('The config: which programs play agents, and what they may touch.', {
    agents: {
      kind: 'map',
      noun: 'agent',
      of: agent,
      least: 0,
      doc: 'The programs that runbooks name as `use:`.',
    },
    sandbox: object('Where agents and commands work.', {
      use: oneOf(
        ['auto', 'off', 'required'],
        '`auto`: where bubblewrap is there. `required`: else nothing starts.',
      ),
      network: { kind: 'boolean', doc: 'Whether the network can be reached from inside.' },
      writable: paths('More places that may be written to: caches of package managers, say.'),
    }),
    limits: object('How much is done at a time.', {
      agents: count('Agents at work at a time.'),
      commands: count('Gates and checks that run at a time.'),
    }),
  }),
}
