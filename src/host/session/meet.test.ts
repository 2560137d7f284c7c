import { describe, expect, it } from 'vitest'
import type { Incoming } from './conversation.ts'
import {
  AT_WORK,
  at,
  crashed,
  duty,
  ended,
  given,
  looked,
  opened,
  prompted,
  Q,
  record,
  tool,
  update,
} from './meet.fixture.ts'

const UNCLEAR = { attempt: 1, said: 'Does it suit you?' }

describe('a duty', () => {
  it('finds nobody, and has a program opened; what was answered before does not count', () => {
    given().when(duty()).then({ act: 'clear-answers' }, { act: 'open' })
  })

  it('finds an agent that was at work under an earlier host, and looks for what it left', () => {
    given()
      .when(duty({ running: true }))
      .then({ act: 'look' })
  })

  it('[Q8] has it hear first what a person decided, whatever it left', () => {
    given()
      .when(duty({ running: true, unheard: true }))
      .then({ act: 'clear-answers' }, { act: 'open' })
  })

  it('finds its session between two prompts, and goes on in it', () => {
    const conversation = given(
      ...AT_WORK,
      { kind: 'turn-ended', end: ended, by: 'prompter' },
      {
        kind: 'concluded',
        wanted: true,
        answered: true,
        left: '',
        remarks: ['a.txt is not there'],
        unclear: null,
      },
    )
      .when(duty({ attempt: 2 }))
      .then({ act: 'clear-answers' }, { act: 'prompt', memory: 'live' })
    expect(conversation).toMatchObject({
      attempt: 2,
      interrupted: false,
      remarks: ['a.txt is not there'],
    })
  })

  it('[D29] asks an agent whose end is unclear once whether it has finished, in the same session', () => {
    const { conversation } = given(...AT_WORK, { kind: 'turn-ended', end: ended, by: 'prompter' }).when({
      kind: 'concluded',
      wanted: true,
      answered: false,
      left: '',
      remarks: ['Are you?'],
      unclear: UNCLEAR,
    })
    expect(conversation).toMatchObject({ phase: 'idle', unclear: UNCLEAR, remarks: ['Are you?'] })
    given(...AT_WORK, { kind: 'turn-ended', end: ended, by: 'prompter' })
      .when({ kind: 'concluded', wanted: true, answered: false, left: '', remarks: [], unclear: UNCLEAR })
      .then({ act: 'prompt', memory: 'live' })
  })

  it('[D29] asks anew after a person has answered, or in another attempt', () => {
    const asked: readonly Incoming[] = [
      ...AT_WORK,
      { kind: 'turn-ended', end: ended, by: 'prompter' },
      { kind: 'concluded', wanted: true, answered: false, left: '', remarks: [], unclear: UNCLEAR },
    ]
    expect(given(...asked).when(prompted()).conversation.unclear).toEqual(UNCLEAR)
    expect(given(...asked).when(prompted(Q)).conversation.unclear).toBeNull()
    expect(given(...asked, duty({ attempt: 2 })).when(prompted()).conversation.unclear).toBeNull()
  })

  it('takes an open turn over, and does not hold the silence of a person against it', () => {
    const conversation = given(...AT_WORK)
      .when(duty({ at: at + 5000, attempt: 2 }))
      .then({ act: 'watch' })
    expect(conversation).toMatchObject({ aliveAt: at + 5000, attempt: 2 })
  })

  it('is handed on where the program has ended while nobody spoke with it', () => {
    expect(
      given(duty(), opened).when({ kind: 'program-gone' }).then({ act: 'leave' }, { act: 'hand-on' }).phase,
    ).toBe('closed')
  })
})

describe('what was left when a host ended', () => {
  const RESUMED = duty({ running: true })

  it.each(['answer', 'question'] as const)(
    'an %s: is taken as it stands, and no agent is started',
    (left) => {
      given(RESUMED)
        .when(looked(left))
        .then({ act: 'conclude', end: { kind: 'ended', reason: 'end_turn', text: '', toolCalls: 1 } })
    },
  )

  it('nothing: its program is opened again, and told that it was interrupted', () => {
    expect(given(RESUMED).when(looked('nothing')).then({ act: 'open' }).interrupted).toBe(true)
  })

  it('nothing, after a person had answered: it goes on, and was not interrupted in the middle of its brief', () => {
    const { interrupted } = given(duty({ running: true, first: false }))
      .when(looked('nothing'))
      .then({ act: 'open' })
    expect(interrupted).toBe(false)
  })
})

describe('a prompt', () => {
  it('comes as soon as there is somebody to prompt', () => {
    given(duty()).when(opened).then({ act: 'prompt', memory: 'fresh' })
    given(duty()).when({ kind: 'opened', memory: 'reopened' }).then({ act: 'prompt', memory: 'reopened' })
  })

  it('begins a turn: what is told with it is known, what was to be told is told, loops are looked for anew', () => {
    const before = [
      duty({ running: true }),
      looked('nothing'),
      opened,
      update({ kind: 'compacted' }),
    ] as const
    const conversation = given(...before)
      .when(prompted(Q))
      .then({ act: 'watch' })
    expect(conversation).toMatchObject({ phase: 'turn', interrupted: false, compacted: false, remarks: [] })
    expect([...conversation.heard]).toEqual([Q])
  })
})

describe('the end of a turn', () => {
  it('is concluded by the duty that began it, however it ended', () => {
    for (const end of [ended, crashed])
      expect(
        given(...AT_WORK)
          .when({ kind: 'turn-ended', end, by: 'prompter' })
          .then({ act: 'conclude', end }).phase,
      ).toBe('concluding')
  })

  const successor = {
    by: 'successor',
    standing: true,
    unheard: false,
    latest: null,
    answered: false,
  } as const

  it('is concluded by a duty that took it over, if the agent knows what was decided, or has answered', () => {
    const heard = given(...AT_WORK.slice(0, 2), prompted(Q))
    heard
      .when({ kind: 'turn-ended', end: ended, ...successor, latest: Q })
      .then({ act: 'conclude', end: ended })
    given(...AT_WORK)
      .when({ kind: 'turn-ended', end: ended, ...successor, answered: true })
      .then({ act: 'conclude', end: ended })
  })

  it('[Q8] is no answer while what a person decided has not reached it: it is told, and what it said before does not count', () => {
    given(...AT_WORK)
      .when({ kind: 'turn-ended', end: ended, ...successor, latest: Q, unheard: true, answered: true })
      .then({ act: 'clear-answers' }, { act: 'prompt', memory: 'live' })
    given(...AT_WORK)
      .when({ kind: 'turn-ended', end: ended, ...successor, latest: Q })
      .then({ act: 'prompt', memory: 'live' })
  })

  it('is nobody’s any more when the run has moved on', () => {
    given(...AT_WORK)
      .when({ kind: 'turn-ended', end: ended, ...successor, standing: false })
      .then({ act: 'leave' })
  })

  const nobody = { by: 'nobody', standing: true, asking: true, answered: false } as const

  it('while its question lies with a person: it sleeps on; an answer all the same withdraws the question', () => {
    const asleep = given(...AT_WORK)
    asleep.when({ kind: 'turn-ended', end: ended, ...nobody }).then({ act: 'hold' })
    asleep.when({ kind: 'turn-ended', end: ended, ...nobody, answered: true }).then({ act: 'take-answer' })
    const { phase } = asleep.when({ kind: 'turn-ended', end: ended, ...nobody }).conversation
    expect(phase).toBe('turn')
    asleep
      .when({ kind: 'turn-ended', end: ended, ...nobody, asking: false, answered: true })
      .then({ act: 'hold' })
    asleep.when({ kind: 'turn-ended', end: crashed, ...nobody }).then({ act: 'leave' })
  })

  it('leaves a session that may be needed again, and ends every other', () => {
    const over = given(...AT_WORK, { kind: 'turn-ended', end: ended, by: 'prompter' })
    over
      .when({ kind: 'concluded', wanted: true, answered: true, left: '', remarks: [], unclear: null })
      .then({ act: 'hold' })
    over
      .when({ kind: 'concluded', wanted: false, answered: true, left: '', remarks: [], unclear: null })
      .then({ act: 'leave' })
  })
})

describe('a duty that is withdrawn', () => {
  it('lets an agent be that waits for a person, and stops every other', () => {
    given(...AT_WORK)
      .when({ kind: 'withdrawn', asked: true })
      .then({ act: 'hold' })
    given(...AT_WORK)
      .when({ kind: 'withdrawn', asked: false })
      .then({ act: 'leave' })
  })
})

describe('a request in the middle of a turn', () => {
  const asked: Incoming = { kind: 'requested', question: Q }
  const decided: Incoming = { kind: 'decided', question: Q }

  it('[Q8] gets its answer once that is recorded as given, and only once', () => {
    given(...AT_WORK, asked)
      .when(decided)
      .then({ act: 'deliver', question: Q })
    given(...AT_WORK, asked, decided)
      .when(decided)
      .then()
    const { following, requests } = given(...AT_WORK, asked, decided)
      .when({ kind: 'delivered', question: Q, record: record() })
      .then({ act: 'reply', question: Q, picked: { pick: 'allow_once', fields: {}, note: 'Go on.' } })
    expect(following).toEqual({ question: Q, stage: 'delivered' })
    expect(requests).toEqual({})
  })

  it('stays open where the answer was taken back at that moment, and gets the next one', () => {
    given(...AT_WORK, asked, decided, { kind: 'taken-back', question: Q })
      .when(decided)
      .then({ act: 'deliver', question: Q })
  })

  it('is ended when nobody will answer it: that is how its agent hears of it', () => {
    const { heard } = given(...AT_WORK, asked)
      .when({ kind: 'closed', question: Q })
      .then({ act: 'reply', question: Q, picked: null })
    expect(heard.has(Q)).toBe(true)
  })

  it('is nothing to a session that asked something else', () => {
    for (const kind of ['decided', 'closed'] as const)
      given(...AT_WORK, asked)
        .when({ kind, question: 'other#1.0?1' })
        .then()
  })

  it('that never came to a person holds nothing up', () => {
    expect(
      given(...AT_WORK, asked)
        .when({ kind: 'request-refused', question: Q })
        .then().requests,
    ).toEqual({})
  })
})

describe('an answer that it fetched itself', () => {
  it('is known to it, and followed until it acts', () => {
    const conversation = given(...AT_WORK)
      .when({ kind: 'delivered', question: Q, record: record() })
      .then()
    expect(conversation.heard.has(Q)).toBe(true)
    expect(conversation.following).toEqual({ question: Q, stage: 'delivered' })
    expect(
      given(...AT_WORK)
        .when({ kind: 'lapsed', question: Q })
        .then()
        .heard.has(Q),
    ).toBe(true)
  })

  it('is acknowledged by a sign of life, and acted on by a tool call', () => {
    const fetched: Incoming = { kind: 'delivered', question: Q, record: record() }
    const acknowledged = { type: 'decision.acknowledged', at, question: Q } as const
    given(...AT_WORK, fetched)
      .when(update({ kind: 'text', text: 'I see.' }))
      .then({ act: 'record', facts: [acknowledged] })
    const { following } = given(...AT_WORK, fetched)
      .when(update(tool('1')))
      .then({
        act: 'record',
        facts: [acknowledged, { type: 'decision.acted', at, question: Q, did: 'Read a.txt' }],
      })
    expect(following).toBeNull()
  })
})
