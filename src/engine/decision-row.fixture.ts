/** Decisions as lists and cards have them, ordinary by default otherwise. */
import type { DecisionRecord, DecisionRow, ShownOption } from '../model/decision-record.ts'
import { openRecord } from './decision-book.ts'

export const option = (key: string, more: Partial<ShownOption> = {}): ShownOption => ({
  key,
  label: `Use ${key}`,
  body: '',
  reversible: true,
  confidence: null,
  leadsTo: '',
  ...more,
})

export const HOUR_MS = 3_600_000
export const OPENED_AT = 1_000 * HOUR_MS

/** Open, as the engine makes it; of what is said otherwise, all is taken as it is. */
export const aRecord = (
  more: Partial<DecisionRecord> = {},
  shown: Partial<DecisionRecord['shown']> = {},
): DecisionRecord => ({
  ...openRecord(
    {
      stream: 'run/r1',
      question: 'q1',
      run: 'r1',
      step: 'develop',
      cause: 'agent',
      kind: 'tradeoff',
      repo: '/home/me/shop',
      runbook: 'build',
      asker: { agent: 'dev', program: 'scripted', version: '1', model: 'small' },
      urgency: 'normal',
      expiresAt: null,
      shown: {
        headline: 'Which store for sessions?',
        question: 'Where should sessions be kept?',
        detail: '',
        context: {},
        options: [option('sqlite'), option('redis')],
        recommended: 'sqlite',
        fields: [],
        proposed: {},
        ...shown,
      },
    },
    more.openedAt ?? OPENED_AT,
  ),
  id: 'd1',
  ...more,
})

export function aRow(more: Partial<DecisionRow> = {}): DecisionRow {
  const { shown, earlier: _, proof: __, stages: ___, ...line } = aRecord()
  return {
    ...line,
    headline: shown.headline,
    ask: shown.question,
    options: shown.options.map(({ body: ____, ...rest }) => rest),
    recommended: shown.recommended,
    answeredAt: null,
    closedAt: null,
    dictated: null,
    ...more,
  }
}

/** One that a person answered a minute after it was opened. */
export const answered = (pick: string, more: Partial<DecisionRow> = {}): DecisionRow => {
  const openedAt = more.openedAt ?? OPENED_AT
  return aRow({
    pick,
    status: 'acted',
    by: { kind: 'person', name: 'me' },
    answeredAt: openedAt + 60_000,
    closedAt: openedAt + 60_000,
    ...more,
  })
}
