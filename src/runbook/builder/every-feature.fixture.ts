/** A flow with every key of the language in every form it has; every-feature.yaml is the same flow. */
import { question } from './question.ts'
import { runbook } from './runbook.ts'

const verdict = question({
  asks: 'verdict',
  options: {
    approve: 'Correct and tested',
    reject: { say: 'Something must change first', label: 'Send back' },
    replan: { confirm: true },
  },
  fields: {
    feedback: { type: 'text', say: 'What to change', required_for: ['reject', 'replan'] },
    findings: { type: 'findings' },
  },
})

export const everyFeature = runbook({
  name: 'every-feature',
  description: 'Takes an issue from plan to release.',
  unattended: false,
  start: 'plan',
  vars: {
    issue: { say: 'Which issue', required: true },
    base: 'main',
    rounds: { default: 2 },
    strict: true,
  },
  limits: { cost: 12.5, tokens: 2_000_000 },
  budgets: { rework: 1, interventions: 2 },
  counters: { mishaps: 2, rounds: { max: 2, per: 'plan' } },
  agents: {
    dev: {
      use: 'claude',
      model: 'claude-sonnet-4-5',
      prompt: 'You write code.',
      writes: ['src/**', 'test/**'],
      network: ['registry.npmjs.org'],
      git: 'read',
      judge: './only-tests.sh ${var.base}',
      prime: {
        startup: 'signalbox issue show ${var.issue}',
        resume: 'git status',
        compact: 'git log -5',
        signal: 'npm test',
      },
      gate: { run: 'npm test', max: 2, for: ['done'], time: '10m', expect: 'pass' },
      check_in: true,
      nudges: 3,
      questions: 1,
      after_asking: 'stop',
      time: '1h30m',
      stall: '10m',
      stuck: { calls: 8, turns: 2 },
    },
    critic: {
      writes: [],
      prime: 'git diff ${var.base}',
      network: 'off',
      on_signal: 'done',
      check_in: { template: 'quality', blocks: 2, cool_down: '5m' },
    },
  },
  setup: {
    run: ['npm ci', 'npm run build'],
    needs: ['package-lock.json'],
    time: '10m',
    on: { failed: { to: 'retry', max: 1, then: 'ask' } },
  },
  templates: {
    release: {
      prompt_hint: 'Say what goes out.',
      required_context: ['changes'],
      options: {
        shelve: { label: 'Shelve', say: 'Put it away', recommended: true, reversible: true },
        done: 'Send it out',
      },
    },
  },
  handoffs: {
    plan: {
      version: 2,
      fields: {
        summary: { type: 'text', required: true },
        risk: { type: 'choice', choices: ['low', 'high'] },
        urgent: 'boolean',
        sketch: 'file',
      },
      partial: true,
      fallback: 'No plan was made.',
    },
  },
  on: {
    invalid: { to: 'retry', count: 'mishaps', then: 'ask' },
    failed: { to: 'retry', max: 1, then: { to: 'retry', spend: 'interventions', then: 'ask' } },
    stalled: { to: 'retry', spend: 'interventions', then: 'abandoned' },
    timed_out: 'ask',
    out_of_bounds: 'abandoned',
    over_budget: 'abandoned',
    expired: 'shelved',
    else: 'ask',
  },
  deadline: { expire: '4d', hours: { zone: 'UTC', from: '09:00', to: '17:00' } },
  steps: {
    plan: {
      say: 'Think first',
      agent: 'dev',
      prompt: 'Plan ${issue.title}.',
      gives: 'plan',
      gate: { run: 'test -s plan.md', for: ['high'] },
      next: {
        risk: { high: { to: 'retry', max: 1, then: 'develop' }, absent: 'develop', else: 'develop' },
      },
    },
    develop: {
      agent: 'dev',
      prompt: 'Follow ${steps.plan.summary ?? "your nose"}.',
      gate: 'npm test',
      check_in: false,
      next: 'triage',
      on: {
        timed_out: { to: 'retry', max: 1, then: 'ask' },
        over_budget: 'ask',
        else: { to: 'retry', count: 'mishaps', then: 'ask' },
      },
    },
    triage: {
      agent: 'critic',
      asks: {
        severity: ['low', 'high'],
        kind: {
          bug: 'It was broken',
          feature: { say: 'It is new', label: 'Feature', confirm: false },
          chore: 'Housekeeping',
        },
      },
      optional: ['kind'],
      when: [
        { name: 'minor', if: { severity: 'low', sure: true }, to: 'test' },
        {
          if: { kind: ['bug', 'absent'], severity: 'high' },
          to: 'review',
          max: 1,
          per: 'develop',
          then: 'test',
        },
        { if: { kind: 'chore' }, to: 'develop', count: 'mishaps', then: 'test' },
        { name: 'unsure', if: { sure: [false, 'absent'] }, to: 'review' },
        { to: 'develop', spend: 'rework', forget: true, then: 'abandoned' },
      ],
      fields: { sure: 'boolean', why: { type: 'text', required_for: ['minor', 'row-2'] } },
    },
    review: {
      panel: ['critic', { agent: 'dev', advisory: true, prompt: 'Look for what is too much.' }],
      prompt: 'Review it.',
      on_signal: { action: 'gate', run: 'npm run lint', max: 1, expect: 'none' },
      nudges: 1,
      questions: 0,
      after_asking: 'go_on',
      time: '30m',
      stall: '5m',
      stuck: false,
      ask: verdict,
      routes: {
        approve: 'test',
        reject: {
          to: 'develop',
          max: 1,
          per: 'plan',
          then: { to: 'develop', spend: 'rework', forget: true, then: 'sign_off' },
        },
        replan: { to: 'plan', count: 'rounds', then: { to: 'plan', count: 'rounds', then: 'abandoned' } },
      },
      settle_on: 'findings',
    },
    test: {
      check: 'npm test -- ${var.strict}',
      answers: 'exit',
      writes: ['reports/**', '!reports/private/**'],
      time: '20m',
      options: {
        pass: { say: 'Green', exit: 0, to: 'measure' },
        flaky: { exit: [75, 76], to: 'retry', max: 1, then: 'sign_off' },
        fail: { exit: 'other', to: 'develop', spend: 'rework', forget: true, then: 'sign_off' },
      },
    },
    measure: {
      check: './measure.sh',
      issues: 'write',
      answers: 'json',
      asks: 'size',
      options: { small: 'polish', large: 'sign_off' },
      fields: { lines: { type: 'number', required: true } },
    },
    polish: {
      flow: 'polish.yaml',
      with: { issue: '${var.issue}', rounds: 3 },
      options: { done: 'sign_off', abandoned: { to: 'sign_off' } },
    },
    sign_off: {
      decide: 'Ship this change?',
      context: 'git diff ${run.base} --stat',
      options: {
        ship: { to: 'release', label: 'Ship it', recommended: true, reversible: false, confirm: true },
        fix: {
          to: 'develop',
          max: 1,
          then: { to: 'develop', max: 1, per: 'plan', then: 'abandoned' },
        },
      },
      deadline: {
        remind: ['2h', '1d'],
        reroute: [
          { after: '4h', to: 'anna' },
          { after: '1d', to: '@leads' },
        ],
        expire: '2d',
        hours: { zone: 'America/New_York', from: '08:30', to: '24:00', days: ['mon', 'sat'] },
      },
      on: { expired: 'shelved' },
    },
    release: {
      decide: true,
      template: 'release',
      context: { changes: { run: 'git log ${run.base}..HEAD' }, issue: '${issue.title}' },
      next: 'partly',
      deadline: { remind: '4h', reroute: { after: '8h', to: '@leads' } },
    },
  },
  ends: { shelved: 'Put away for later', partly: { say: 'Some of it', success: true } },
})
