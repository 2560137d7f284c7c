/** A decision as the host tells of it, for whoever draws one. */
import { option as anyOption, aRecord as anyRecord } from '../../engine/decision-row.fixture.ts'
import type { ListedDecision } from '../../host/inbox/decisions.ts'
import type { DecisionRecord, Shown, ShownOption } from '../../model/decision-record.ts'
import type { Look } from './card.ts'

export const NOW = Date.UTC(2030, 0, 2, 12)

export const LOOK: Look = { paint: (_style, text) => text, columns: 80, now: NOW, mostLines: 12 }

const option = (key: string, more: Partial<ShownOption> = {}): ShownOption =>
  anyOption(key, { label: `The ${key}`, body: `Do ${key}.`, ...more })

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

export const aRecord = (given: Partial<DecisionRecord> = {}): DecisionRecord =>
  anyRecord({
    id: 'd1aaaaaa',
    stream: 'run/abcd1234',
    question: 'develop#1?1',
    run: 'abcd1234',
    runbook: 'build.yaml',
    asker: { agent: 'dev', program: 'claude', version: '1.2.3', model: '' },
    shown: SHOWN,
    digest: 'digest-1',
    alike: 'alike-1',
    openedAt: NOW - 12 * 60_000,
    ...given,
  })

export function aRow(given: Partial<DecisionRecord & ListedDecision> = {}): ListedDecision {
  const { shown, earlier: _, proof: __, stages: ___, ...record } = aRecord(given)
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
