/** A login of each agent as it writes one, far from its end, so that no agent refreshes it on its own. */
import type { ReadyAgent } from '../../src/host/ready-agents/ready-agent.ts'

export const OLD_TOKEN = 'old-token'

const FAR = 4_102_444_800
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = `${part({ alg: 'none' })}.${part({ email: 'me@example.com', exp: FAR })}.x`
const google = {
  access_token: OLD_TOKEN,
  refresh_token: OLD_TOKEN,
  scope: 'openid',
  token_type: 'Bearer',
  expiry_date: FAR * 1000,
}

const LOGINS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  claude: {
    '~/.claude/.credentials.json': {
      claudeAiOauth: {
        accessToken: OLD_TOKEN,
        refreshToken: OLD_TOKEN,
        expiresAt: FAR * 1000,
        scopes: ['user:inference'],
        subscriptionType: 'max',
      },
    },
  },
  codex: {
    '~/.codex/auth.json': {
      OPENAI_API_KEY: null,
      tokens: { id_token: jwt, access_token: OLD_TOKEN, refresh_token: OLD_TOKEN, account_id: 'me' },
      last_refresh: '2026-11-19T00:00:00Z',
    },
  },
  gemini: { '~/.gemini/oauth_creds.json': google },
  opencode: {
    '~/.local/share/opencode/auth.json': {
      anthropic: { type: 'oauth', refresh: OLD_TOKEN, access: OLD_TOKEN, expires: FAR * 1000 },
    },
  },
  goose: {
    '~/.config/goose/chatgpt_codex/tokens.json': {
      access_token: OLD_TOKEN,
      refresh_token: OLD_TOKEN,
      id_token: jwt,
      expires_at: '2099-01-01T00:00:00Z',
      account_id: 'me',
    },
  },
  qwen: { '~/.qwen/oauth_creds.json': { ...google, resource_url: 'portal.example' } },
  kimi: {
    '~/.kimi-code/credentials/kimi-code.json': {
      access_token: OLD_TOKEN,
      refresh_token: OLD_TOKEN,
      expires_at: FAR,
      scope: 'kimi-code',
      token_type: 'Bearer',
    },
  },
}

/** By their places; none for an agent whose login does not expire. */
export const loginsOf = ({ name }: ReadyAgent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(LOGINS[name] ?? {}).map(([place, login]) => [place, JSON.stringify(login)]),
  )
