/** Which program serves an agent's `use: NAME`. The user's config says it; the common ones are known. */

/** What can make a program work, and an entry of the config names it with. */
export const DRIVER_NAMES = ['acp', 'command', 'scripted'] as const
export type DriverName = (typeof DRIVER_NAMES)[number]

/** Whether its program is one of Signalbox's own, and what the user names only what it is given. */
export const HAS_OWN_PROGRAM: Readonly<Record<DriverName, boolean>> = {
  acp: false,
  command: false,
  scripted: true,
}

export interface AgentProgram {
  readonly name: string
  readonly driver: DriverName
  /** The program and its arguments. */
  readonly argv: readonly string[]
  /** How a plain command gets its prompt. */
  readonly prompt: 'stdin' | 'file'
  readonly env: Readonly<Record<string, string>>
  /** Variables of the user's that it gets beside those that everybody does: its keys. `NAME_*` for all that begin so. */
  readonly passes?: readonly string[]
  /** Where it keeps its own settings and sessions: writable inside the sandbox. `~` is the user's home. */
  readonly keeps: readonly string[]
  /** What it is made of, where the sandbox would otherwise not show it: programs under /tmp, say. */
  readonly reads?: readonly string[]
  /** Places of Signalbox's own that it may write to. */
  readonly writes?: readonly string[]
  /** What a request for permission is answered with. `auto`: allowed inside the sandbox, else a person is asked. */
  readonly permissions: 'auto' | 'ask' | 'allow' | 'reject'
  /** How to get it, for whoever lacks it. */
  readonly install: string
  /** How to log in, for whoever must. */
  readonly login?: string
  /** More variables for when it works in our sandbox. */
  readonly boxed?: Readonly<Record<string, string>>
  /** What is known not to work with it, and it does not tell. */
  readonly lacks?: readonly string[]
  /** Named by a project's config: whoever can write to the repository says what it is. */
  readonly ofProject?: true
}

type Known = Pick<AgentProgram, 'passes' | 'keeps' | 'install' | 'login' | 'boxed' | 'lacks'>

/** Those that work with many models are given the keys of many. */
const PROVIDERS = [
  ...[
    'ANTHROPIC_*',
    'OPENAI_*',
    'AZURE_OPENAI_*',
    'GEMINI_*',
    'GOOGLE_*',
    'OPENROUTER_*',
    'GROQ_*',
    'MISTRAL_*',
  ],
  ...[
    'DEEPSEEK_*',
    'XAI_*',
    'OLLAMA_*',
    'LM_STUDIO_*',
    'LITELLM_*',
    'DATABRICKS_*',
    'TOGETHER_*',
    'FIREWORKS_*',
  ],
]

const acp = (name: string, argv: readonly string[], known: Known): AgentProgram => ({
  name,
  driver: 'acp',
  argv,
  prompt: 'stdin',
  env: {},
  permissions: 'auto',
  ...known,
})

/** Ready entries. A config entry of the same name replaces one, or changes parts of it. */
export const COMMON_AGENTS: readonly AgentProgram[] = [
  acp('claude', ['claude-agent-acp'], {
    passes: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_*', 'MAX_THINKING_TOKENS'],
    keeps: ['~/.claude', '~/.claude.json', '~/.cache/claude-cli-nodejs'],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    login: 'start `claude` and type /login, or set ANTHROPIC_API_KEY',
  }),
  acp('codex', ['codex-acp'], {
    passes: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*'],
    keeps: ['~/.codex'],
    install: 'npm install -g @agentclientprotocol/codex-acp',
    login: 'run `codex login`, or set OPENAI_API_KEY',
    // It makes a sandbox of its own, and none can be made within ours.
    boxed: { INITIAL_AGENT_MODE: 'agent-full-access' },
    lacks: ['It tells tokens and no price: its runs are unpriced, and a limit in dollars does not hold it.'],
  }),
  acp('gemini', ['gemini', '--acp'], {
    passes: ['GEMINI_*', 'GOOGLE_*'],
    keeps: ['~/.gemini'],
    install: 'npm install -g @google/gemini-cli',
    login: 'start `gemini` once and choose how, or set GEMINI_API_KEY',
  }),
  acp('opencode', ['opencode', 'acp'], {
    passes: ['OPENCODE_*', ...PROVIDERS],
    keeps: ['~/.local/share/opencode', '~/.config/opencode', '~/.cache/opencode', '~/.local/state/opencode'],
    install: 'npm install -g opencode-ai',
    login: 'run `opencode auth login`',
  }),
  acp('goose', ['goose', 'acp'], {
    passes: ['GOOSE_*', ...PROVIDERS],
    keeps: ['~/.config/goose', '~/.local/share/goose', '~/.local/state/goose'],
    install: 'see the goose documentation for a package',
    login: 'run `goose configure`, or set GOOSE_PROVIDER, GOOSE_MODEL and the key of that provider',
  }),
  acp('copilot', ['copilot', '--acp'], {
    passes: ['COPILOT_*'],
    keeps: ['~/.copilot', '~/.config/github-copilot'],
    install: 'npm install -g @github/copilot',
    login: 'start `copilot` and type /login, or set COPILOT_GITHUB_TOKEN',
  }),
  acp('qwen', ['qwen', '--acp'], {
    passes: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*'],
    keeps: ['~/.qwen'],
    install: 'npm install -g @qwen-code/qwen-code',
    login: 'start `qwen` and type /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL',
  }),
  acp('kimi', ['kimi', 'acp'], {
    passes: ['KIMI_*', 'MOONSHOT_*'],
    keeps: ['~/.kimi', '~/.kimi-code', '~/.cache/kimi-code'],
    install: 'uv tool install kimi-cli',
    login: 'run `kimi login`',
  }),
]

/** The name that `use: default` stands for where the config does not say: the first of the common ones that is there. */
export const DEFAULT_USE = 'default'
