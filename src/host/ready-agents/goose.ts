import { PROVIDERS } from './providers.ts'
import type { ReadyAgent } from './ready-agent.ts'

const SETTINGS = `extensions:
  developer: { enabled: true, type: builtin, name: developer, timeout: 300, bundled: true }
`

export const GOOSE: ReadyAgent = {
  name: 'goose',
  argv: ['goose', 'acp'],
  passes: ['GOOSE_*', ...PROVIDERS],
  keeps: {
    login: [
      '~/.config/goose/secrets.yaml',
      '~/.config/goose/chatgpt_codex/tokens.json',
      '~/.config/goose/gemini_oauth/tokens.json',
      '~/.config/goose/xai_oauth/tokens.json',
      '~/.config/goose/githubcopilot/info.json',
    ],
    settings: [
      '~/.config/goose/config.yaml',
      '~/.config/goose/permission.yaml',
      '~/.config/goose/.goosehints',
      '~/.config/goose/custom_providers',
      '~/.config/goose/prompts',
      '~/.config/goose/recipes',
      '~/.config/goose/skills',
    ],
    sessions: ['~/.local/share/goose', '~/.local/state/goose'],
    copied: [],
  },
  install: 'see the goose documentation for a package',
  login: 'run `goose configure`, or set GOOSE_PROVIDER, GOOSE_MODEL and the key of that provider',
  modelBy: { variable: 'GOOSE_MODEL' },
  package: { name: '@aaif/goose-binary-linux-x64', version: '1.52.0', start: 'bin/goose', by: 'itself' },
  scripted: {
    wire: 'chat',
    env: {
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'gpt-4o',
      OPENAI_HOST: '{model}',
      OPENAI_API_KEY: 'scripted',
      GOOSE_DISABLE_KEYRING: '1',
      GOOSE_MODE: 'approve',
      GOOSE_TELEMETRY_ENABLED: 'false',
    },
    files: { '.config/goose/config.yaml': SETTINGS },
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'lists the tools before its first prompt':
      'it only greets the server before, and lists them with the prompt',
  },
  peculiar: [
    'offers session/load and no session/resume: the whole conversation is told again',
    'asks permission for every MCP tool in its mode `approve`, ours too; those are allowed without asking anybody',
    'tries a failing model again for some seconds, and waits by itself as long as a limit says (Retry-After)',
    'ends a turn whose model failed as any other, with the error as text',
  ],
}
