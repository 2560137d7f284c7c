import { runbook } from '../../src/index.ts'

export default runbook({
  name: 'spelled',
  description: 'One flow, three spellings',
  vars: { issue: { required: true }, depth: 2 },
  budgets: { rework: 1 },
  counters: { mishaps: 2, rounds: { max: 3, per: 'build' } },
  on: {
    stalled: { to: 'retry', max: 1, then: 'ask' },
    else: { to: 'retry', count: 'mishaps', then: 'ask' },
  },
  agents: {
    dev: { use: 'default', writes: ['src/**'], prime: { startup: 'show ${var.issue}' }, nudges: 1 },
    check: { writes: [], network: 'off', git: 'read' },
    mend: {
      writes: ['${steps.plan.files}', '!docs/**'],
      network: ['registry.npmjs.org'],
      judge: './judge ${var.depth}',
    },
  },
  setup: { run: ['npm ci', 'npm run build'], needs: ['package-lock.json'], on: { failed: 'abandoned' } },
  templates: {
    ship_it: {
      prompt_hint: 'Say what ships',
      required_context: ['what'],
      options: { go: { say: 'Ship it' } },
    },
  },
  handoffs: {
    plan: {
      version: 2,
      fields: {
        summary: { type: 'text', required: true },
        files: { type: 'list', required: true },
        certain: 'boolean',
      },
    },
  },
  steps: {
    plan: {
      agent: 'dev',
      prompt: 'Plan ${issue.title}',
      gives: 'plan',
      next: { certain: { false: { to: 'retry', max: 1, then: 'size' }, else: 'size' } },
    },
    size: {
      agent: 'check',
      asks: { effort: ['small', 'large'] },
      optional: ['effort'],
      fields: { risky: 'boolean' },
      when: [
        { name: 'drop', if: { effort: 'large', risky: [true, 'absent'] }, to: 'abandoned' },
        { name: 'go', to: 'build' },
      ],
    },
    build: {
      agent: 'dev',
      prompt: 'Build: ${steps.plan.summary ?? "the issue"}',
      gate: { run: 'npm test', max: 2, expect: 'pass' },
      next: 'review',
    },
    review: {
      panel: ['check', { agent: 'dev', advisory: true }],
      asks: 'verdict',
      options: {
        approve: { say: 'Good', to: 'ship' },
        reject: {
          say: 'Not yet',
          to: 'mend',
          max: 2,
          per: 'build',
          then: { to: 'plan', spend: 'rework', forget: true, then: 'abandoned' },
        },
        unsure: { to: 'mend', count: 'rounds', then: 'ship' },
      },
      fields: { feedback: { type: 'text', required_for: ['reject'] } },
    },
    mend: { agent: 'mend', prompt: 'Mend it.', next: 'review' },
    ship: {
      decide: 'Ship it?',
      context: { what: { run: 'git diff ${run.base}...HEAD --stat' } },
      template: 'ship_it',
      options: { go: { to: 'shipped', recommended: true }, no: { to: 'abandoned', say: 'Never mind' } },
      deadline: {
        remind: ['2h', '6h'],
        reroute: [
          { after: '8h', to: 'anna' },
          { after: '12h', to: '@leads' },
        ],
        expire: '2d',
        hours: { zone: 'Europe/Vienna', from: '09:00', to: '17:00', days: ['mon', 'tue', 'wed', 'thu'] },
      },
      on: { expired: 'abandoned' },
    },
  },
  ends: { shipped: { say: 'It is out', success: true } },
})
