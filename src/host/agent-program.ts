/** Which program serves an agent's `use: NAME`. The user's config says it; the common ones are known. */

export interface AgentProgram {
  readonly name: string
  readonly driver: 'acp' | 'command' | 'scripted'
  /** The program and its arguments. */
  readonly argv: readonly string[]
  /** How a plain command gets its prompt. */
  readonly prompt: 'stdin' | 'file'
  readonly env: Readonly<Record<string, string>>
  /** Where it keeps its own settings and sessions: writable inside the sandbox. `~` is the user's home. */
  readonly keeps: readonly string[]
  /** What it is made of, where the sandbox would otherwise not show it: programs under /tmp, say. */
  readonly reads?: readonly string[]
  /** What a request for permission is answered with. `auto`: allowed inside the sandbox, else a person is asked. */
  readonly permissions: 'auto' | 'ask' | 'allow' | 'reject'
  /** How to get it, for whoever lacks it. */
  readonly install: string
}

const acp = (
  name: string,
  argv: readonly string[],
  { keeps, install }: { readonly keeps: readonly string[]; readonly install: string },
): AgentProgram => ({
  name,
  driver: 'acp',
  argv,
  prompt: 'stdin',
  env: {},
  keeps,
  permissions: 'auto',
  install,
})

/** Ready entries. A config entry of the same name replaces one, or changes parts of it. */
export const COMMON_AGENTS: readonly AgentProgram[] = [
  acp('claude', ['claude-agent-acp'], {
    keeps: ['~/.claude', '~/.claude.json', '~/.cache/claude-cli-nodejs'],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  }),
  acp('codex', ['codex-acp'], {
    keeps: ['~/.codex'],
    install: 'npm install -g @agentclientprotocol/codex-acp',
  }),
  acp('gemini', ['gemini', '--experimental-acp'], {
    keeps: ['~/.gemini'],
    install: 'npm install -g @google/gemini-cli',
  }),
  acp('opencode', ['opencode', 'acp'], {
    keeps: ['~/.local/share/opencode', '~/.config/opencode', '~/.cache/opencode', '~/.local/state/opencode'],
    install: 'npm install -g opencode-ai',
  }),
  acp('goose', ['goose', 'acp'], {
    keeps: ['~/.config/goose', '~/.local/share/goose', '~/.local/state/goose'],
    install: 'see the goose documentation for a package',
  }),
  acp('copilot', ['copilot', '--acp'], {
    keeps: ['~/.copilot', '~/.config/github-copilot'],
    install: 'npm install -g @github/copilot',
  }),
  acp('qwen', ['qwen', '--experimental-acp'], {
    keeps: ['~/.qwen'],
    install: 'npm install -g @qwen-code/qwen-code',
  }),
  acp('kimi', ['kimi', 'acp'], { keeps: ['~/.kimi'], install: 'uv tool install kimi-cli' }),
]

/** The name that `use: default` stands for where the config does not say: the first of the common ones that is there. */
export const DEFAULT_USE = 'default'
