/** What a host may tell of itself, one of everything. */
import type { KnownAgent } from '../model/api/settings.ts'
import type { HostSettings } from './host-settings.ts'

export const FINDING = { about: 'git', state: 'good', text: 'git version 2' } as const

const AGENT: KnownAgent = {
  name: 'codex',
  driver: 'acp',
  isDefault: true,
  standsFor: null,
  path: '/bin/codex',
  install: '',
  version: '1',
  model: null,
  modelBy: 'protocol',
  keeps: ['~/.codex'],
  passes: ['OPENAI_*'],
  probe: { version: '1', resumes: 'load', mcpHttp: true, images: false, model: 'large' },
  askedAt: '2026-11-16T12:00:00Z',
  lacks: ['No session/close.'],
}

const TRIAL = {
  answered: 4,
  disagreed: 1,
  cases: [{ id: 'd1', headline: 'Which store?', would: 'sqlite', picked: 'redis', edited: false }],
} as const

export const SETTINGS: HostSettings = {
  agents: async () => ({
    agents: [AGENT, { ...AGENT, name: 'mute', probe: { problem: 'It did not answer.' } }],
    problems: ['config.yaml:1:1 Something is odd.'],
  }),
  probe: async (agent) =>
    agent === 'codex' ? AGENT : { code: 'unknown', problem: `There is no agent "${agent}".` },
  channels: async () => [
    {
      id: 'c1',
      name: 'ntfy at ntfy.sh',
      kind: 'ntfy',
      audience: null,
      leastUrgency: 'normal',
      events: ['opened'],
      quiet: null,
      full: false,
      problem: null,
      inForce: true,
    },
  ],
  test: async (channel) => ({ channel, result: 'sent', detail: 'HTTP 204' }),
  policies: async () => ({
    file: 'policies.yaml',
    problems: [],
    policies: [
      {
        name: 'kept',
        state: 'in force',
        until: '2027-01-31',
        answer: 'sqlite',
        when: 'kind tradeoff',
        used: 2,
        lastUsedAt: 1_000,
        backTest: TRIAL,
      },
    ],
    suggested: [
      {
        name: 'more',
        until: '2027-01-31',
        answer: 'sqlite',
        when: 'kind tradeoff',
        same: 9,
        of: 10,
        backTest: TRIAL,
      },
    ],
  }),
  ratify: async (name) => ({ name, until: '2027-01-31' }),
  sandbox: async () => [FINDING],
  doctor: async () => [FINDING],
}
