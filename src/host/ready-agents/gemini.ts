import type { ReadyAgent } from './ready-agent.ts'

export const GEMINI: ReadyAgent = {
  name: 'gemini',
  argv: ['gemini', '--acp'],
  passes: ['GEMINI_*', 'GOOGLE_*'],
  keeps: {
    login: ['~/.gemini/oauth_creds.json', '~/.gemini/gemini-credentials.json'],
    settings: [
      '~/.gemini/settings.json',
      '~/.gemini/google_accounts.json',
      '~/.gemini/installation_id',
      '~/.gemini/trustedFolders.json',
      '~/.gemini/trusted_hooks.json',
      '~/.gemini/GEMINI.md',
      '~/.gemini/.env',
      '~/.gemini/agents',
      '~/.gemini/commands',
      '~/.gemini/extensions',
      '~/.gemini/policies',
      '~/.gemini/skills',
    ],
    sessions: ['~/.gemini/tmp'],
    copied: [],
  },
  install: 'npm install -g @google/gemini-cli',
  login: 'start `gemini` once and choose how, or set GEMINI_API_KEY',
  toolCalls: ['{tool} (signalbox MCP Server)'],
  modelBy: { argument: '--model' },
  package: { name: '@google/gemini-cli', version: '0.61.0', start: 'bundle/gemini.js', by: 'node' },
  scripted: {
    wire: 'gemini',
    args: ['--model', 'gemini-2.5-flash'],
    env: {
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: '{model}',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: {
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, maxAttempts: 2 },
      },
    },
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'tells what it cost': 'it tells tokens, and no price',
  },
  sometimes: {
    'wakes in the same session after its process was killed':
      'in the minute in which a session was made it cannot be loaded; a fresh one gets the whole brief',
    'wakes in the same session after the host was killed':
      'in the minute in which a session was made it cannot be loaded; a fresh one gets the whole brief',
  },
  peculiar: [
    'loads sessions and does not resume them',
    'asks permission for every MCP tool, ours too; those are allowed without asking anybody',
    'tries a failing model ten times before it tells',
  ],
}
