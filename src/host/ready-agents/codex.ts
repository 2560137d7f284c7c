import type { ReadyAgent } from './ready-agent.ts'

const SETTINGS = `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[features]
plugins = false
apps = false
goals = false
multi_agent = false
[analytics]
enabled = false
[feedback]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{model}/v1"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
`

export const CODEX: ReadyAgent = {
  name: 'codex',
  argv: ['codex-acp'],
  passes: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*'],
  keeps: {
    login: ['~/.codex/auth.json'],
    settings: [
      '~/.codex/config.toml',
      '~/.codex/managed_config.toml',
      '~/.codex/hooks.json',
      '~/.codex/AGENTS.md',
      '~/.codex/AGENTS.override.md',
      '~/.codex/prompts',
      '~/.codex/rules',
      '~/.codex/skills',
    ],
    sessions: ['~/.codex/sessions'],
    copied: [],
  },
  install: 'npm install -g @agentclientprotocol/codex-acp',
  login: 'run `codex login`, or set OPENAI_API_KEY',
  // It makes a sandbox of its own, and none can be made within ours.
  boxed: { INITIAL_AGENT_MODE: 'agent-full-access' },
  lacks: ['It tells tokens and no price: its runs are unpriced, and a limit in dollars does not hold it.'],
  package: { name: '@agentclientprotocol/codex-acp', version: '2.6.0', start: 'dist/index.js', by: 'node' },
  scripted: {
    wire: 'responses',
    env: {
      CODEX_HOME: '{home}/.codex',
      // Its own sandbox wants a helper in its home, and is refused one in a folder for temporary files.
      TMPDIR: '{home}/tmp',
      SCRIPTED_API_KEY: 'scripted',
      NO_BROWSER: '1',
    },
    unboxed: { INITIAL_AGENT_MODE: 'workspace-write' },
    files: { '.codex/config.toml': SETTINGS },
    folders: ['tmp'],
  },
  cannot: {
    'asks by a form of several fields, and hears every answer': 'its model has no tool that asks by a form',
    'tells what it cost': 'it tells tokens, and no price',
  },
  peculiar: [
    'cannot make its own sandbox inside ours: give it INITIAL_AGENT_MODE=agent-full-access there',
    'two first starts at the same moment in one home that was never used: one fails. Runs have a home each',
    'waits by itself as long as a limit says (Retry-After), without a word',
    'finds MCP tools by a search of its own before it can call them',
  ],
}
