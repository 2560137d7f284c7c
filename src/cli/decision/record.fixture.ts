/** A decision as the host tells of it, for whoever draws one. */
import type { ListedDecision } from '../../host/inbox/decisions.ts'
import type { DecisionRecord, Shown, ShownOption } from '../../model/decision-record.ts'
import type { Look } from './card.ts'

export const NOW = Date.UTC(2030, 0, 2, 12)

export const LOOK: Look = { paint: (_style, text) => text, columns: 80, now: NOW, mostLines: 12 }

const option = (key: string, more: Partial<ShownOption> = {}): ShownOption => ({
  key,
  label: `The ${key}`,
  body: `Do ${key}.`,
  reversible: true,
  confidence: null,
  leadsTo: '',
  ...more,
})

export const SHOWN: Shown = {
  headline: 'Which store for sessions?',
  question: 'Where should sessions be kept?',
  detail: '',
  context: { context: 'Both pass the tests.' },
  options: [
    option('sqlite', { confidence: 0.8 }),
    option('redis'),
    option('wipe', { reversible: false, leadsTo: 'develop' }),
  ],
  recommended: 'sqlite',
  fields: [],
  proposed: {},
}

export const aRecord = (given: Partial<DecisionRecord> = {}): DecisionRecord => ({
  id: 'd1aaaaaa',
  stream: 'run/abcd1234',
  question: 'develop#1?1',
  run: 'abcd1234',
  step: 'develop',
  cause: 'agent',
  kind: 'tradeoff',
  repo: '/work/project',
  runbook: '/work/project/.signalbox/build.yaml',
  asker: { agent: 'dev', program: 'claude', version: '1.2.3', model: '' },
  shown: SHOWN,
  digest: 'digest-1',
  alike: 'alike-1',
  urgency: 'normal',
  openedAt: NOW - 12 * 60_000,
  expiresAt: null,
  snoozedUntil: null,
  assignee: null,
  reminders: 0,
  status: 'open',
  stages: [{ status: 'open', at: NOW - 12 * 60_000 }],
  by: null,
  pick: '',
  note: '',
  edited: null,
  batch: null,
  did: '',
  supersedes: null,
  supersededBy: null,
  delivery: { failures: 0, trouble: '', nextAt: null },
  proof: null,
  ...given,
})

export function aRow(given: Partial<DecisionRecord & ListedDecision> = {}): ListedDecision {
  const { shown, proof: _, stages: __, ...record } = aRecord(given)
  return {
    ...record,
    headline: given.headline ?? shown.headline,
    ask: shown.question,
    options: shown.options,
    recommended: shown.recommended,
    answeredAt: given.answeredAt ?? null,
    closedAt: null,
    dictated: null,
    group: given.group ?? 1,
  }
}
