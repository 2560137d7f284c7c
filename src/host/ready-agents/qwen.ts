import type { ReadyAgent } from './ready-agent.ts'

export const QWEN: ReadyAgent = {
  name: 'qwen',
  argv: ['qwen', '--acp'],
  passes: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*'],
  keeps: {
    login: ['~/.qwen/oauth_creds.json'],
    settings: [
      '~/.qwen/settings.json',
      '~/.qwen/installation_id',
      '~/.qwen/output-language.md',
      '~/.qwen/trustedFolders.json',
      '~/.qwen/QWEN.md',
      '~/.qwen/.env',
      '~/.qwen/agents',
      '~/.qwen/commands',
      '~/.qwen/extensions',
      '~/.qwen/skills',
    ],
    sessions: ['~/.qwen/projects', '~/.qwen/tmp'],
    copied: [],
  },
  install: 'npm install -g @qwen-code/qwen-code',
  login: 'start `qwen` and type /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL',
  toolCalls: ['Always Allow in project: {tool}', 'Always Allow for user: {tool}'],
  modelBy: { argument: '--model' },
  package: { name: '@qwen-code/qwen-code', version: '0.15.10', start: 'cli.js', by: 'node' },
  scripted: {
    wire: 'chat',
    env: { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: '{model}/v1', OPENAI_MODEL: 'scripted' },
    files: {
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        tools: { approvalMode: 'default' },
        privacy: { usageStatisticsEnabled: false },
        model: { generationConfig: { maxRetries: 1 } },
      },
    },
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'tells what it cost': 'it tells tokens, and no price',
    'a usage limit parks it and is no fault': 'it tries again by itself for minutes, without a word',
  },
  peculiar: [
    'offers to resume sessions and does not; they are loaded',
    'finds MCP tools by a search of its own before it can call them',
    'names only the arguments of a tool in its requests for permission',
    'tries a failing model again for minutes, without a word',
  ],
}
