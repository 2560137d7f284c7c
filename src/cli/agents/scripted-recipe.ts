/**
 * How an agent is set up so that its model is a scripted one on this machine: its settings in a home of its own, and nothing
 * of the user's account. Only some can be told where their model is without an account.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ScriptedTurn, scriptText } from '../../drivers/scripted-model/script.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'
import { KEYS, NOTE, type Scripts } from './trial-project.ts'

export interface ScriptedPlace {
  /** A folder for this agent alone. */
  readonly home: string
  /** The model's address, without a path. */
  readonly model: string
}

export const SCRIPTABLE = ['claude', 'codex', 'goose'] as const
export type Scriptable = (typeof SCRIPTABLE)[number]

/** Models that are asked for titles and the like. */
export const SMALL_MODELS = ['claude-haiku-4-5'] as const

/** Writes the agent's settings, and says how it is started. */
export function scriptedProgram(program: AgentProgram, name: Scriptable, place: ScriptedPlace): AgentProgram {
  mkdirSync(place.home, { recursive: true })
  const env = RECIPES[name](place)
  return {
    ...program,
    env: { HOME: place.home, XDG_CONFIG_HOME: join(place.home, '.config'), ...env },
    keeps: [place.home],
    permissions: 'auto',
  }
}

/** What a scripted model does in the two steps of a trial. */
export function trialScripts(): Scripts {
  const [first, second] = KEYS
  const decision = {
    headline: 'Which format for the settings?',
    question: 'YAML has comments and surprises, JSON has neither. Which one?',
    options: [
      { key: first, label: first.toUpperCase(), body: 'Settings are kept as YAML.' },
      { key: second, label: second.toUpperCase(), body: 'Settings are kept as JSON.' },
    ],
    recommended: first,
  }
  const script = (...turns: readonly ScriptedTurn[]): string => `\n\n${scriptText(turns)}`
  return {
    hello: script({ do: [{ call: 'report_outcome', with: { decision: 'ready' } }, { say: 'Reported.' }] }),
    choose: script(
      { do: [{ call: 'create_decision', with: decision }, { say: 'I wait for the answer.' }] },
      {
        when: `Picked: ${second}`,
        do: [{ shell: `mkdir -p ${dirname(NOTE)} && printf ${second} > ${NOTE}` }, { say: 'It is written.' }],
      },
    ),
  }
}

/** Of the user's environment, only what any program needs: no account, no address of another model. */
export const plainVariables = (
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) =>
      /^(?:PATH|LANG|LC_\w+|TERM|TZ|TMPDIR|USER|LOGNAME|SHELL)$/.test(name),
    ),
  )

type Recipe = (place: ScriptedPlace) => Readonly<Record<string, string>>

const RECIPES: Readonly<Record<Scriptable, Recipe>> = {
  claude: ({ home, model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'scripted',
    ANTHROPIC_MODEL: 'claude-sonnet-4-5',
    ANTHROPIC_SMALL_FAST_MODEL: SMALL_MODELS[0],
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  codex: ({ home, model }) => {
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
    return { CODEX_HOME: codexHome, TMPDIR: elsewhere, SCRIPTED_API_KEY: 'scripted', NO_BROWSER: '1' }
  },
  goose: ({ home, model }) => {
    write(join(home, '.config', 'goose', 'config.yaml'), [
      'extensions:',
      '  developer: { enabled: true, type: builtin, name: developer, timeout: 300, bundled: true }',
    ])
    return {
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'gpt-4o',
      OPENAI_HOST: model,
      OPENAI_API_KEY: 'scripted',
      GOOSE_DISABLE_KEYRING: '1',
      GOOSE_MODE: 'approve',
      GOOSE_TELEMETRY_ENABLED: 'false',
    }
  },
}

function write(file: string, lines: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
}
