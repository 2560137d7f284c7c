import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import type { Refusal } from '../model/refusal.ts'
import { ALICE, BOB } from './given.fixture.ts'
import {
  decideStandalone,
  evolveStandalone,
  type StandaloneCommand,
  type StandaloneEvent,
  type StandaloneState,
  standaloneDuties,
  standaloneEnvelope,
} from './index.ts'

/** Without what is the same in all of them. */
type Sent = StandaloneCommand extends infer C
  ? C extends StandaloneCommand
    ? Omit<C, 'at' | 'question' | 'session'>
    : never
  : never

interface Story {
  readonly state: StandaloneState
  readonly events: readonly StandaloneEvent[]
  send(command: Sent, at?: number): Story
  refuses(command: Sent, at?: number): Refusal
}

function story(state: StandaloneState | null = null, events: readonly StandaloneEvent[] = []): Story {
  const decided = (command: Sent, at: number) =>
    decideStandalone(state, { ...command, at, question: 'd1', session: null } as StandaloneCommand)
  return {
    state: state!,
    events,
    send: (command, at = 0) => {
      const result = decided(command, at)
      if ('refusal' in result) throw new Error(result.refusal.message)
      return story(result.state, [...events, ...result.events])
    },
    refuses: (command, at = 0) => {
      const result = decided(command, at)
      if ('refusal' in result) return result.refusal
      throw new Error(`${command.type} was accepted`)
    },
  }
}

const asker = { agent: 'claude', program: 'claude-code', version: '2', model: '' }
const proof = { door: 'mcp', call: 'c', prompts: [], dictated: [] } as const
const creation = (payload: unknown = EXAMPLE_DECISION, resume: StandaloneState['resume'] = null): Sent => ({
  type: 'decision.create',
  id: 'd1',
  payload,
  templates: {},
  asker,
  repo: '/repo',
  resume,
  supersedes: null,
  proof,
})
const answer = (pick: string, note = ''): Sent => ({
  type: 'decision.answer',
  by: ALICE,
  pick,
  note,
  fields: {},
  digest: null,
  edited: null,
  batch: null,
})
const COMMAND = { argv: ['claude', '-p'], cwd: '/repo' }
const created = () => story().send(creation())
const resuming = () => story().send(creation(EXAMPLE_DECISION, COMMAND))

describe('a decision outside any run', () => {
  it('[Q16] is held against the same contract, and lives in a stream of its own', () => {
    expect(story().refuses(creation({ headline: 'Only that' }))).toMatchObject({ code: 'invalid-decision' })
    expect(created().state.record).toMatchObject({
      id: 'd1',
      stream: 'decision/d1',
      run: null,
      cause: 'outside',
      status: 'open',
      asker,
      proof,
    })
  })

  it('[Q3] has one winner, and the loser is told who won with what', () => {
    const won = created().send(answer('redis'))
    expect(won.refuses({ ...answer('sqlite'), by: BOB } as Sent)).toEqual({
      code: 'already-answered',
      message: 'alice already answered this with redis.',
    })
  })

  it('[Q7] takes words as words, and never an option that is not there', () => {
    expect(created().refuses(answer('yes'))).toMatchObject({ code: 'not-offered' })
    expect(created().refuses(answer(''))).toMatchObject({ code: 'invalid-answer' })
    const said = created().send(answer('', 'Neither: use the filesystem.'))
    expect(standaloneEnvelope(said.state)).toContain('They picked none of your options')
  })

  it('[Q11] is undone until it is delivered', () => {
    const undone = created().send(answer('redis')).send({ type: 'decision.undo', by: BOB })
    expect(undone.state.record).toMatchObject({ status: 'open', by: null })
    const given = undone.send(answer('sqlite')).send({ type: 'decision.deliver', via: 'wait' })
    expect(given.refuses({ type: 'decision.undo', by: BOB })).toMatchObject({ code: 'too-late' })
  })

  it('[Q16] keeps an answer for whoever waits later, and delivers it once', () => {
    const given = created().send(answer('redis')).send({ type: 'decision.deliver', via: 'wait' })
    expect(given.send({ type: 'decision.deliver', via: 'wait' }).events).toHaveLength(given.events.length)
    expect(given.send({ type: 'decision.act', did: 'called x' }).state.record).toMatchObject({
      status: 'acted',
      did: 'called x',
    })
  })

  it('[Q11] [Q16] can be taken back where its command was never there', () => {
    let run = resuming().send(answer('redis'), 1000)
    while (run.state.record.status !== 'undeliverable')
      run = run.send({ type: 'decision.fail', detail: 'no program' })
    const open = run.send({ type: 'decision.undo', by: BOB })
    expect(open.state.record).toMatchObject({ status: 'open', by: null })
    expect(standaloneDuties(open.send(answer('sqlite')).state)).toMatchObject([
      { kind: 'deliver-answer', attempt: 1 },
    ])
    expect(
      open.send({ type: 'decision.withdraw', note: 'moot' }).refuses({ type: 'decision.undo', by: BOB }),
    ).toEqual({
      code: 'not-waiting',
      message: expect.stringMatching(/is withdrawn: it has no answer/),
    })
  })

  it('[Q16] asks for its command to be run, again after a pause, until a person must look', () => {
    let run = resuming().send(answer('redis'), 1000)
    expect(standaloneDuties(run.state)).toMatchObject([{ kind: 'deliver-answer', dueAt: 0, attempt: 1 }])
    const seen = new Set<string>()
    const pauses: number[] = []
    for (let at = 2000; run.state.record.status !== 'undeliverable'; at++) {
      const [duty] = standaloneDuties(run.state)
      expect(seen.has(duty!.id)).toBe(false)
      seen.add(duty!.id)
      run = run
        .send({ type: 'decision.deliver', via: 'command' }, at)
        .send({ type: 'decision.fail', detail: 'ended with 1' }, at)
      pauses.push((run.state.record.delivery.nextAt ?? at) - at)
    }
    expect(pauses).toEqual([1000, 5000, 30_000, 120_000, 600_000, 0])
    expect(standaloneDuties(run.state)).toEqual([])
    const fetched = run.send({ type: 'decision.deliver', via: 'wait' })
    expect([fetched.state.record.status, standaloneDuties(fetched.state)]).toEqual(['delivered', []])
    // It lies with a person again, who may want no more of it.
    expect(run.send({ type: 'decision.snooze', by: BOB, until: 9 }).state.record.snoozedUntil).toBe(9)
    expect(run.send({ type: 'decision.assign', by: BOB, to: 'maria' }).state.record.assignee).toBe('maria')
    expect(run.send({ type: 'decision.withdraw', note: '' }).state.record.status).toBe('withdrawn')
    expect(run.refuses({ type: 'decision.undo', by: BOB })).toMatchObject({ code: 'too-late' })
    const again = run.send({ type: 'decision.retry', by: ALICE })
    expect(again.state.record.status).toBe('answered')
    expect(seen.has(standaloneDuties(again.state)[0]!.id)).toBe(false)
    // Its command has had the answer six times.
    expect(again.refuses({ type: 'decision.undo', by: BOB })).toMatchObject({ code: 'too-late' })
  })

  it('[Q16] keeps its duty while the command runs, so that a crash begins it again', () => {
    const run = resuming().send(answer('redis'))
    const before = standaloneDuties(run.state)
    const begun = run
      .send({ type: 'decision.deliver', via: 'command' })
      .send({ type: 'decision.acknowledge' })
    expect(standaloneDuties(begun.state)).toEqual(before)
    expect(standaloneDuties(begun.send({ type: 'decision.act', did: 'ran claude' }).state)).toEqual([])
  })

  it('[Q9] expires at its deadline and tells so', () => {
    const open = story().send(creation({ ...EXAMPLE_DECISION, deadline: '1h' }), 1000)
    expect(standaloneDuties(open.state)).toMatchObject([{ kind: 'decision-timer', dueAt: 3_601_000 }])
    expect(open.send({ type: 'time.pass' }, 3_600_999).state.record.status).toBe('open')
    const lapsed = open.send({ type: 'time.pass' }, 4_000_000)
    expect(lapsed.state.record.status).toBe('expired')
    expect(standaloneEnvelope(lapsed.state)).toContain('Nobody answered')
    expect(lapsed.refuses(answer('redis'))).toMatchObject({ code: 'not-waiting' })
    expect(standaloneDuties(lapsed.state)).toEqual([])
  })

  it('[Q9] [Q27] runs nothing where nobody answered, and tells whoever waits', () => {
    const lapsed = story()
      .send(creation({ ...EXAMPLE_DECISION, deadline: '1h' }, COMMAND))
      .send({ type: 'time.pass' }, 3_600_000)
    expect(lapsed.state.record.status).toBe('expired')
    expect(standaloneDuties(lapsed.state)).toEqual([])
    expect(standaloneEnvelope(lapsed.state)).toContain('Nobody answered')
  })

  it('[Q27] shows the command that its answer runs, and binds the answer to it', () => {
    const argv = ['claude', '--resume', "it's", '-p']
    const asked = (more: Partial<typeof COMMAND> = {}) =>
      story().send(creation(EXAMPLE_DECISION, { ...COMMAND, argv, ...more })).state.record
    expect(asked().shown.runs).toEqual([
      { command: "claude --resume 'it'\\''s' -p", step: '', folder: '/repo', held: 'none' },
    ])
    const plain = created().state.record
    expect(plain.shown).not.toHaveProperty('runs')
    // The same words, and another command or folder: neither the digest nor the group is the same.
    const all = [plain, asked(), asked({ argv: ['rm', '-r', '/'] }), asked({ cwd: '/elsewhere' })]
    expect(new Set(all.map(({ digest }) => digest)).size).toBe(4)
    expect(new Set(all.map(({ alike }) => alike)).size).toBe(4)
  })

  it.each([
    ['a code that moves the cursor', ['sh', '-c', 'rm -r ~\u001B[2K\rls']],
    ['a mark that reorders letters', ['sh', '-c', 'ls \u202E~ r- mr']],
    ['a letter without a width', ['l\u200Bs']],
    ['a line of its own', ['sh', '-c', `ls${'\n'.repeat(80)}rm -r ~`]],
    ['spaces that are none', ['sh', '-c', `ls${'\u3000'.repeat(80)}; rm -r ~`]],
    ['more than anybody reads', ['sh', '-c', `${'true; '.repeat(400)}rm -r ~`]],
  ])('[Q27] refuses a command that a card could not show as it is: %s', (_what, argv) => {
    expect(story().refuses(creation(EXAMPLE_DECISION, { argv, cwd: '/repo' }))).toMatchObject({
      code: 'invalid-decision',
      message: expect.stringContaining('Put it into a script'),
    })
  })

  it('[Q28] keeps an answer back for as long as whoever gave it wants, then delivers it', () => {
    const held = resuming().send({ ...answer('redis'), holdMs: 5000 } as Sent, 100)
    expect(held.state.record).toMatchObject({ status: 'answered', pick: 'redis', undoableUntil: 5100 })
    expect(standaloneDuties(held.state)).toMatchObject([{ kind: 'decision-timer', dueAt: 5100 }])
    expect(held.refuses({ type: 'decision.deliver', via: 'wait' }, 200)).toMatchObject({
      code: 'not-waiting',
    })
    expect(held.refuses({ ...answer('sqlite'), by: BOB } as Sent)).toMatchObject({
      code: 'already-answered',
      message: 'alice already answered this with redis.',
    })
    const undone = held.send({ type: 'decision.undo', by: ALICE }, 300)
    expect(undone.state.record).toMatchObject({ status: 'open', by: null, pick: '' })
    expect(undone.state.record).not.toHaveProperty('undoableUntil')
    expect(held.send({ type: 'time.pass' }, 5099).state).toEqual(held.state)
    const told = held.send({ type: 'time.pass' }, 9000)
    expect(told.state.record).not.toHaveProperty('undoableUntil')
    expect(told.state.record.stages.map(({ status }) => status)).toEqual(['open', 'answered'])
    expect(standaloneDuties(told.state)).toMatchObject([{ kind: 'deliver-answer', dueAt: 0 }])
    expect(told.events.reduce<StandaloneState | null>(evolveStandalone, null)).toEqual(told.state)
    expect(resuming().refuses({ ...answer('redis'), holdMs: 60_001 } as Sent)).toMatchObject({
      code: 'invalid-answer',
    })
  })

  it('[Q12] gives way to the one that supersedes it, unless it was answered', () => {
    const close = { type: 'decision.supersede', by: 'd2' } as const
    expect(created().send(close).state.record).toMatchObject({ status: 'superseded', supersededBy: 'd2' })
    expect(created().send(answer('redis')).refuses(close)).toMatchObject({ code: 'already-answered' })
  })

  it('[E2] folds to the state that was lived', () => {
    const lived = resuming()
      .send(answer('redis'))
      .send({ type: 'decision.undo', by: BOB })
      .send(answer('sqlite'))
    const folded = lived.events.reduce<StandaloneState | null>(evolveStandalone, null)
    expect(folded).toEqual(lived.state)
  })
})
