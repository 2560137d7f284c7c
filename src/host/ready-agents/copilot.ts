import type { ReadyAgent } from './ready-agent.ts'

export const COPILOT: ReadyAgent = {
  name: 'copilot',
  argv: ['copilot', '--acp'],
  passes: ['COPILOT_*'],
  keeps: {
    login: [],
    settings: [
      '~/.copilot/config.json',
      '~/.copilot/settings.json',
      '~/.copilot/mcp-config.json',
      '~/.copilot/lsp-config.json',
      '~/.copilot/permissions-config.json',
      '~/.copilot/copilot-instructions.md',
      '~/.copilot/agents',
      '~/.copilot/hooks',
      '~/.copilot/skills',
      '~/.config/github-copilot',
      // Its program, which it unpacks there and starts unverified: 235 MB.
      '~/.cache/copilot/pkg/*/*',
    ],
    sessions: ['~/.copilot/session-state', '~/.cache/copilot'],
    copied: [],
  },
  install: 'npm install -g @github/copilot',
  login: 'start `copilot` and type /login, or set COPILOT_GITHUB_TOKEN',
  failures: ['Info: Request failed', 'Error: Failed to get response'],
  modelBy: { variable: 'COPILOT_MODEL' },
  package: { name: '@github/copilot-linux-x64', version: '1.0.102', start: 'copilot', by: 'itself' },
  scripted: {
    wire: 'chat',
    env: {
      COPILOT_HOME: '{home}/.copilot',
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: '{model}/v1',
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'scripted',
      COPILOT_MODEL: 'scripted',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '128000',
      COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '8000',
      COPILOT_AUTO_UPDATE: 'false',
    },
    folders: ['.copilot', '.cache'],
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'tells how many tokens it used':
      'it tells an estimate of its context, which is more than its model told: a limit in tokens holds it too early',
    'tells what it cost': 'it tells tokens, and no price',
  },
  peculiar: [
    'calls a command by the model’s words for it',
    'joins its errors to its last message without line breaks, and ends the turn as any other',
    'loads sessions and does not resume them',
  ],
}
