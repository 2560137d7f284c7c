import type { ReadyAgent } from './ready-agent.ts'

export const CLAUDE: ReadyAgent = {
  name: 'claude',
  argv: ['claude-agent-acp'],
  passes: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_*', 'MAX_THINKING_TOKENS'],
  keeps: ['~/.claude', '~/.claude.json', '~/.cache/claude-cli-nodejs'],
  begins: { '~/.claude.json': '{}' },
  install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  login: 'start `claude` and type /login, or set ANTHROPIC_API_KEY',
  modelBy: { variable: 'ANTHROPIC_MODEL' },
  package: {
    name: '@agentclientprotocol/claude-agent-acp',
    version: '0.49.0',
    start: 'dist/index.js',
    by: 'node',
  },
  scripted: {
    wire: 'messages',
    smallModel: 'claude-haiku-4-5',
    env: {
      ANTHROPIC_BASE_URL: '{model}',
      ANTHROPIC_API_KEY: 'scripted',
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
      ANTHROPIC_SMALL_FAST_MODEL: 'claude-haiku-4-5',
      CLAUDE_CONFIG_DIR: '{home}/.claude',
      ENABLE_TOOL_SEARCH: 'false',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  },
  cannot: {},
  peculiar: ['asks permission for every MCP tool, ours too; those are allowed without asking anybody'],
}
