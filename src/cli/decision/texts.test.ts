/** Cards, records, proofs and lists as a person reads them. */
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../model/shown-difference.ts'
import { cardLines } from './card.ts'
import { columnsOf } from './columns.ts'
import { folded, listText } from './list.ts'
import { proofText } from './proof-text.ts'
import { aRecord, aRow, LOOK, NOW, SHOWN } from './record.fixture.ts'
import { recordText } from './record-text.ts'

const card = (given: Parameters<typeof aRecord>[0] = {}, look = LOOK): string =>
  cardLines(aRecord(given), look).join('\n')

describe('a card', () => {
  it('says who asks what, what is known, and what each option is', () => {
    expect(card()).toBe(
      [
        'Which store for sessions?',
        'Where should sessions be kept?',
        '',
        'dev (claude 1.2.3) · run abcd1234 at develop · build.yaml · tradeoff · waits 12m',
        '',
        'context',
        '│ Both pass the tests.',
        '',
        ' 1  sqlite  The sqlite  recommended · 80 % sure',
        '    Do sqlite.',
        '',
        ' 2  redis   The redis',
        '    Do redis.',
        '',
        ' 3  wipe    The wipe  cannot be undone · → develop',
        '    Do wipe.',
      ].join('\n'),
    )
  })

  it('says what is urgent, runs out, sleeps or belongs to somebody', () => {
    const origin = card({
      urgency: 'high',
      expiresAt: NOW + 7_200_000,
      snoozedUntil: NOW + 600_000,
      assignee: 'anna',
      run: null,
      step: null,
      runbook: '',
    }).replaceAll('\n', ' ')
    expect(origin).toContain('outside any run · tradeoff · high urgency · waits 12m · expires in 2h')
    expect(origin).toContain('asleep, wakes in 10m · for anna')
  })

  it('cuts what is long unless all of it is wanted, and shows nothing that moves the cursor', () => {
    const shown = { ...SHOWN, context: { log: `\u001B[2Jfirst\n${'line\n'.repeat(50)}` } }
    expect(card({ shown })).toContain('… 39 more lines')
    expect(card({ shown }, { ...LOOK, mostLines: 1000 }).match(/│ line/g)).toHaveLength(50)
    expect(card({ shown })).not.toContain('\u001B')
  })

  it('[Q27] shows every command that an answer runs, whole, in however little room', () => {
    const words = Array.from({ length: 60 }, (_, nth) => `word${nth}`).join(' ')
    const resume = { command: `claude -p '${words}'`, step: '', folder: '/repo', held: 'none' } as const
    const deploy = { command: 'make deploy\nmake tell', step: 'deploy', folder: '', held: 'run' } as const
    const shown = {
      ...SHOWN,
      runs: [resume],
      options: SHOWN.options.map((each) => (each.key === 'wipe' ? { ...each, runs: [deploy] } : each)),
    }
    const lines = cardLines(aRecord({ shown }), { ...LOOK, mostLines: 1 })
    const told = lines.map((line) => line.replace(/^\s*\$ /, '').trim())
    expect(told).toContain('whatever you answer')
    expect(told).toContain('runs in /repo, outside any sandbox:')
    expect(told.join(' ')).toContain(resume.command)
    expect(told.slice(told.indexOf('runs at deploy:'))).toEqual([
      'runs at deploy:',
      'make deploy',
      'make tell',
    ])
    expect(changesBetween(SHOWN, shown).map(({ part }) => part)).toEqual(['option wipe', 'runs'])
  })

  it.each([80, 120])('keeps to %i columns', (columns) => {
    const words = 'a word that is followed by others, '.repeat(12)
    const shown = { ...SHOWN, headline: words, question: words, detail: words, context: { log: words } }
    for (const line of cardLines(aRecord({ shown }), { ...LOOK, columns }))
      expect(columnsOf(line)).toBeLessThanOrEqual(columns)
  })
})

const text = (
  given: Parameters<typeof aRecord>[0],
  before: ReturnType<typeof aRecord> | null = null,
): string => recordText(aRecord(given), { before, look: LOOK })

describe('a record', () => {
  it('of an open decision says how to answer it', () => {
    expect(text({})).toContain('id      d1aaaaaa  open')
    expect(text({})).toContain('To answer: signalbox decision answer d1aaaaaa OPTION')
  })

  it('[Q28] of one whose answer is held says until when, and how to take it back', () => {
    const held = { status: 'answered', by: { kind: 'person', name: 'anna' }, pick: 'sqlite' } as const
    expect(text({ ...held, undoableUntil: NOW + 4000 })).toMatch(
      /^held +counts in 4s; until then: signalbox decision undo d1aaaaaa$/m,
    )
    expect(text({ ...held, undoableUntil: NOW - 1000 })).toMatch(
      /^held +counts once a host is up; until then: signalbox decision undo d1aaaaaa$/m,
    )
    expect(text(held)).not.toMatch(/^held/m)
  })

  it('of one that was withdrawn says why', () => {
    expect(text({ status: 'withdrawn', note: 'Moot now.' })).toMatch(/^why +Moot now\.$/m)
  })

  it('tells who answered what, what was changed, what the agent did, and when', () => {
    const at = aRecord().openedAt
    const acted = text({
      status: 'acted',
      by: { kind: 'person', name: 'anna' },
      pick: 'sqlite',
      note: 'With care.',
      edited: 'Only in tests.',
      did: 'Edit src/store.ts',
      stages: [
        { status: 'open', at },
        { status: 'answered', at: at + 3_000 },
        { status: 'delivered', at: at + 3_100 },
        { status: 'acted', at: at + 65_000 },
      ],
    })
    for (const words of [
      'answer    anna picked sqlite (The sqlite)',
      'note      With care.',
      'proposed  Do sqlite.',
      'approved  Only in tests.',
      'then      Edit src/store.ts',
      'stages    raised 2030-01-02 11:48:00 UTC → answered +3.0 s → delivered +3.1 s',
      'acted +1 m 05 s',
    ])
      expect(acted).toContain(words)
    expect(acted).not.toContain('To answer')
    expect(text({ status: 'delivered', by: { kind: 'policy', name: 'small' }, note: 'No.' })).toContain(
      'policy small answered in words',
    )
  })

  it('tells why an answer could not be delivered, and what to do', () => {
    const stuck = text({
      status: 'undeliverable',
      by: { kind: 'person', name: 'anna' },
      pick: 'redis',
      delivery: { failures: 5, trouble: 'the session is gone', nextAt: null },
    })
    expect(stuck).toContain('failed 5 times: the session is gone')
    expect(stuck).toContain('To try again: signalbox decision retry d1aaaaaa')
    const trying = { failures: 1, trouble: 'busy', nextAt: NOW + 60_000 }
    expect(text({ status: 'answered', by: { kind: 'signalbox' }, delivery: trying })).toContain(
      'It is tried again in 1m.',
    )
  })

  it('shows what changed against the one it stands for', () => {
    const before = aRecord({
      id: 'd0',
      shown: { ...SHOWN, question: 'Where?', context: { context: 'Both pass the tests.', diff: 'a\nb\nc' } },
    })
    const after = {
      ...SHOWN,
      context: { context: 'Both pass the tests.', diff: 'a\nB\nc' },
      recommended: 'redis',
    }
    const changed = text({ shown: after, supersedes: 'd0' }, before)
    expect(changed).toContain(
      [
        'Stands in the place of d0. What changed:',
        '  question',
        '  - Where?',
        '  + Where should sessions be kept?',
        '  context diff',
        '  - b',
        '  + B',
        '  recommended',
        '  - sqlite',
        '  + redis',
      ].join('\n'),
    )
    expect(text({ supersedes: 'd0' }, aRecord({ id: 'd0' }))).toContain('what it shows is the same')
  })
})

describe('a difference', () => {
  const between = (was: string, is: string) =>
    changesBetween({ ...SHOWN, detail: was }, { ...SHOWN, detail: is })

  it('is only the lines that changed', () => {
    expect(between('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([{ part: 'detail', gone: ['b'], come: ['x'] }])
    expect(between('', 'new')).toEqual([{ part: 'detail', gone: [], come: ['new'] }])
    expect(between('same', 'same')).toEqual([])
  })

  it('of very long texts takes no time', () => {
    const long = (word: string): string => Array.from({ length: 3000 }, (_, n) => `${word} ${n}`).join('\n')
    expect(between(long('a'), long('b'))[0]?.gone).toHaveLength(3000)
  })
})

describe('a proof', () => {
  const proof = { door: 'mcp', call: 'c0ffee', prompts: ['aa', 'bb'], dictated: [] } as const
  const call = new TextEncoder().encode('{"headline":"Which?\\u001b[2J"}')
  const proofOf = (given: Parameters<typeof aRecord>[0], bytes: Uint8Array | null = call): string =>
    proofText(aRecord(given), { call: bytes, look: LOOK })

  it('tells door, agent, model, call and prompts, and that nothing was dictated', () => {
    const told = proofOf({ proof })
    for (const words of [
      'door      MCP tool',
      'agent     dev, served by claude 1.2.3',
      'model     not told',
      'call      c0ffee (30 bytes, below)',
      'prompts   aa',
      '          bb',
      'dictated  none of its words stood in the prompt',
      '│   "headline": "Which?',
    ])
      expect(told).toContain(words)
    expect(told).not.toContain('\u001B')
  })

  it('tells which texts were dictated, and what cannot be known', () => {
    expect(proofOf({ proof: { ...proof, dictated: ['Which?'] } })).toContain(
      'dictated  these stood in the prompt already:\n          "Which?"',
    )
    expect(proofOf({ proof: { ...proof, prompts: [] } }, null)).toMatch(
      /not in the store[\s\S]*not prompted by Signalbox[\s\S]*cannot be told/,
    )
    expect(proofOf({})).toContain('a question of the flow itself')
  })
})

describe('a list', () => {
  const rows = [
    aRow({ urgency: 'high', group: 3 }),
    aRow({ id: 'd2', group: 3 }),
    aRow({ id: 'd3', alike: 'other', run: null, headline: `Long ${'words '.repeat(20)}`, assignee: 'anna' }),
  ]
  const lines = (columns: number): string[] =>
    listText(folded(rows), { paint: LOOK.paint, columns, now: NOW }).split('\n')

  it('has equal questions once, with how many there are', () => {
    const listed = lines(10_000)
    expect(listed).toHaveLength(3)
    expect(listed[0]).toMatch(/^ID +WAITS +FROM +QUESTION +RECOMMENDED$/)
    expect(listed[1]).toMatch(
      /^d1aaaaaa +12m +! +abcd1234 develop +Which store for sessions\? +sqlite {2}×3$/,
    )
    expect(listed[2]).toMatch(/^d3 +12m +dev +Long words .* sqlite {2}for anna$/)
  })

  it.each([80, 120])('fits into %i columns', (columns) => {
    for (const line of lines(columns)) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
    expect(lines(columns)[2]).toContain('…')
  })

  it('of what was answered says by whom, and of what sleeps until when', () => {
    const answered = aRow({
      status: 'acted',
      by: { kind: 'person', name: 'anna' },
      pick: 'redis',
      answeredAt: NOW - 11 * 60_000,
    })
    const asleep = aRow({ id: 'd9', snoozedUntil: NOW + 3_600_000 })
    const [head, first, second] = listText([answered, asleep], {
      paint: LOOK.paint,
      columns: 200,
      now: NOW,
    }).split('\n')
    expect(head).toMatch(/STATUS.*ANSWER$/)
    expect(first).toMatch(/1m +acted .* redis \(anna\)$/)
    expect(second).toMatch(/zz 1h +open/)
  })
})
