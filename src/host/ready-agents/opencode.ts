import { PROVIDERS } from './providers.ts'
import type { ReadyAgent } from './ready-agent.ts'

const SETTINGS = {
  model: 'scripted/scripted',
  small_model: 'scripted/scripted',
  autoupdate: false,
  share: 'disabled',
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: '{model}/v1', apiKey: 'scripted' },
      models: { scripted: { tool_call: true, limit: { context: 128_000, output: 8_000 } } },
    },
  },
  permission: { bash: 'ask', edit: 'ask' },
}

export const OPENCODE: ReadyAgent = {
  name: 'opencode',
  argv: ['opencode', 'acp'],
  passes: ['OPENCODE_*', ...PROVIDERS],
  keeps: {
    login: ['~/.local/share/opencode/auth.json', '~/.local/share/opencode/mcp-auth.json'],
    settings: ['~/.config/opencode'],
    sessions: ['~/.local/share/opencode', '~/.local/state/opencode', '~/.cache/opencode'],
    copied: [],
  },
  install: 'npm install -g opencode-ai',
  login: 'run `opencode auth login`',
  package: { name: 'opencode-linux-x64', version: '1.18.33', start: 'bin/opencode', by: 'itself' },
  scripted: {
    wire: 'chat',
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(SETTINGS),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    folders: ['.local/share/opencode'],
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'tells what it cost': 'it tells tokens, and no price',
  },
  peculiar: [
    'takes seconds to start, and many when several start at once',
    'tries a failing model again for a minute or two, without a word',
  ],
}
