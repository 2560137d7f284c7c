/**
 * The agents of the suite, as a user would set them up: the command, the variables, the settings file. Each has a home
 * of its own, so that nothing of the user's account or sessions is touched, and its model is the scripted one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type InstalledAgent, installedAgent } from '../../scripts/install-agents.mjs'
import type { AgentProgram } from '../../src/host/agent-program.ts'

export const AGENT_NAMES = ['codex', 'claude', 'goose'] as const
export type AgentName = (typeof AGENT_NAMES)[number]

export interface Setting {
  /** A folder for this agent alone. */
  readonly home: string
  /** The model's address, without a path. */
  readonly model: string
  /** Whether it works in our sandbox, which is then the only one: a sandbox within cannot be made. */
  readonly boxed: boolean
}

/** Models that are asked for titles and the like. */
export const SMALL_MODELS = ['claude-haiku-4-5'] as const

export const installed = (): readonly AgentName[] =>
  AGENT_NAMES.filter((name) => installedAgent(name) !== null)

/** Writes the agent's settings, and says how it is started. */
export function prepareAgent(name: AgentName, setting: Setting): AgentProgram {
  const found = installedAgent(name)
  if (found === null) throw new Error(`${name} is not installed: node scripts/install-agents.mjs ${name}`)
  mkdirSync(setting.home, { recursive: true })
  const { argv, env } = RECIPES[name](found, setting)
  return {
    name,
    driver: 'acp',
    argv,
    prompt: 'stdin',
    env: { HOME: setting.home, XDG_CONFIG_HOME: join(setting.home, '.config'), ...env },
    keeps: [setting.home],
    permissions: 'auto',
    install: '',
  }
}

type Recipe = (found: InstalledAgent, setting: Setting) => Pick<AgentProgram, 'argv' | 'env'>

const write = (file: string, lines: readonly string[]): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
}

const RECIPES: Readonly<Record<AgentName, Recipe>> = {
  codex: ({ start }, { home, model, boxed }) => {
    const codexHome = join(home, '.codex')
    // Its own sandbox wants a helper in its home, and is refused one in a folder for temporary files.
    const elsewhere = join(home, 'tmp')
    mkdirSync(elsewhere, { recursive: true })
    write(join(codexHome, 'config.toml'), [
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      'approval_policy = "on-request"',
      'sandbox_mode = "workspace-write"',
      'check_for_update_on_startup = false',
      '[features]',
      ...['plugins', 'apps', 'goals', 'multi_agent'].map((feature) => `${feature} = false`),
      '[analytics]',
      'enabled = false',
      '[feedback]',
      'enabled = false',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${model}/v1"`,
      'env_key = "SCRIPTED_API_KEY"',
      'wire_api = "responses"',
      'requires_openai_auth = false',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      'supports_websockets = false',
    ])
    return {
      argv: [process.execPath, start],
      env: {
        CODEX_HOME: codexHome,
        TMPDIR: elsewhere,
        SCRIPTED_API_KEY: 'dummy',
        NO_BROWSER: '1',
        INITIAL_AGENT_MODE: boxed ? 'agent-full-access' : 'workspace-write',
      },
    }
  },
  claude: ({ start }, { home, model }) => ({
    argv: [process.execPath, start],
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'dummy-key',
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
      ANTHROPIC_SMALL_FAST_MODEL: SMALL_MODELS[0],
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ENABLE_TOOL_SEARCH: 'false',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  goose: ({ start }, { home, model }) => {
    write(join(home, '.config', 'goose', 'config.yaml'), [
      'extensions:',
      '  developer:',
      '    enabled: true',
      '    type: builtin',
      '    name: developer',
      '    timeout: 300',
      '    bundled: true',
    ])
    return {
      argv: [start, 'acp'],
      env: {
        GOOSE_PROVIDER: 'openai',
        GOOSE_MODEL: 'gpt-4o',
        OPENAI_HOST: model,
        OPENAI_API_KEY: 'dummy',
        GOOSE_DISABLE_KEYRING: '1',
        GOOSE_MODE: 'approve',
        GOOSE_TELEMETRY_ENABLED: 'false',
      },
    }
  },
}
