import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { openRecord } from '../../engine/decision-book.ts'
import { given, type Scene } from '../../engine/given.fixture.ts'
import { openedIn, questionsOf } from '../../engine/index.ts'
import { givenFor } from '../../engine/views/pick.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { askInLines } from './line-prompt.ts'
import { questionText } from './question-text.ts'
import { aRecord, SHOWN } from './record.fixture.ts'

const FLOW = `
name: flow
steps:
  work:
    agent: dev
    prompt: Do it.
    asks: { risk: [low, high], size: [small, big] }
    when:
      - { if: { risk: low }, to: sign_off }
      - { to: sign_off }
  sign_off:
    decide: Ship it?
    context: git diff
    options:
      ship: { say: Keep it, to: done, recommended: true }
      fix: { say: Once more, to: sign_off, max: 1, then: abandoned }
    fields:
      why: { type: text, required_for: [fix] }
      hours: { type: number, required_for: [fix] }
      names: { type: list }
`

const around = { stream: 'run/r1', repo: '/repo', world: () => undefined, askerAt: () => null }

/** As people meet the one question that is open. */
function recordIn({ program, state, open, now }: Scene): DecisionRecord {
  const opened = openedIn(program, state, { question: open[0]!, around })
  if (opened === null) throw new Error('nothing is asked')
  return openRecord(opened, now)
}

const signOff = (): Scene => given(FLOW).started().answer('work', { risk: 'low', size: 'big' })
const asked = (context = 'a.txt | 2 +-'): DecisionRecord =>
  recordIn(signOff().context('sign_off', { context }))
const faulted = (): DecisionRecord => recordIn(given(FLOW).started().fault('work', 'failed', 'it crashed'))
const ofAgent = (): DecisionRecord => aRecord({ cause: 'agent' })

describe('a question in the story of a run', () => {
  it('shows what is asked, what was found, and where each choice leads', () => {
    const text = questionText(asked(), openPaper().terminal)
    expect(text).toContain('? Ship it?')
    expect(text).toContain('│ a.txt | 2 +-')
    expect(text).toMatch(/1 {2}ship {2}Ship {2}recommended · → done\n +Keep it/)
    expect(text).toMatch(/2 {2}fix {3}Fix {2}needs why, hours · → .*\n +Once more/)
  })

  it('[Q29] is shown whole, and has nothing that moves the cursor', () => {
    const text = questionText(asked(`\u001B[2Jfirst\n${'line\n'.repeat(500)}`), openPaper().terminal)
    expect(text).not.toContain('\u001B')
    expect(text.match(/│ line/g)).toHaveLength(500)
  })

  it('of a fault says what went wrong, and offers retry and stop', () => {
    const text = questionText(faulted(), openPaper().terminal)
    expect(text).toContain('it crashed')
    expect(text).toMatch(/@retry {2}Try again\n +Try the step again\./)
    expect(text).toMatch(/@stop +Stop here {2}cannot be undone\n +End the run here\./)
  })

  it('says where nothing held the agents of its run', () => {
    const text = questionText({ ...asked(), confined: 'none' }, openPaper().terminal)
    expect(text).toContain('No sandbox held the agents')
  })
})

describe('a person at the terminal', () => {
  /** Each line is typed when its prompt has been read. */
  const sit = (about: DecisionRecord, usual: string | null = about.shown.recommended) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const leaving = new AbortController()
    const { terminal, out } = openPaper()
    let shown = ''
    output.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
    const answer = askInLines(about, { terminal, signal: leaving.signal, input, output, usual })
    const type = async (prompt: string, line: string): Promise<void> => {
      await vi.waitFor(() => expect(shown).toContain(prompt), { timeout: 10_000, interval: 5 })
      shown = ''
      input.write(`${line}\n`)
    }
    return { answer, type, input, leaving, out }
  }

  it('picks by number or by name, says what is needed, and may add a note', async () => {
    const byNumber = sit(asked())
    await byNumber.type('Your choice (a number or a key; Enter for ship)', ' 2 ')
    await byNumber.type('why', 'no test')
    await byNumber.type('hours', '12')
    await byNumber.type('Note', '')
    expect(await byNumber.answer).toMatchObject({
      pick: 'fix',
      fields: { why: 'no test', hours: 12 },
      note: '',
    })
    for (const name of ['@retry', 'retry']) {
      const byName = sit(faulted())
      await byName.type('Your choice', name)
      await byName.type('Note', ' with care ')
      expect(await byName.answer).toMatchObject({ pick: '@retry', note: 'with care' })
    }
  })

  it('[Q13] answers what was shown', async () => {
    const record = asked()
    const { answer, type } = sit(record)
    await type('Your choice', 'ship')
    await type('Note', '')
    expect(await answer).toEqual({
      pick: 'ship',
      note: '',
      fields: {},
      edited: null,
      digest: record.digest,
      together: false,
    })
  })

  it('is judged by the engine like any other', async () => {
    const scene = signOff().context('sign_off')
    const { answer, type } = sit(recordIn(scene))
    await type('Your choice', 'fix')
    await type('why', 'no test')
    await type('hours', '3')
    await type('Note', '')
    const said = await answer
    if (said === null) throw new Error('nobody answered')
    const [card] = questionsOf(scene.program, scene.state, () => undefined)
    const by = { kind: 'person', name: 'a' } as const
    const { extra, given: value } = givenFor(card!, said.pick, said.fields)
    scene.send({ type: 'question.answer', at: 1, by, question: card!.id, extra, given: value, note: '' })
    expect(scene.place).toBe('sign_off#2')
  })

  it('takes what is recommended with Enter, and is asked again where nothing is', async () => {
    const recommended = sit(asked())
    await recommended.type('Your choice', '')
    await recommended.type('Note', '')
    expect(await recommended.answer).toMatchObject({ pick: 'ship' })
    const none = sit(faulted())
    await none.type('Your choice', '')
    await none.type('Your choice', '@retry')
    await none.type('Note', '')
    expect(await none.answer).toMatchObject({ pick: '@retry' })
  })

  it('is asked once more where it cannot be undone', async () => {
    const { answer, type } = sit(faulted())
    await type('Your choice', 'stop')
    await type('Note', '')
    await type('"@stop" cannot be undone. Sure?', 'n')
    await type('Your choice', '@stop')
    await type('Note', '')
    await type('Sure?', 'y')
    expect(await answer).toMatchObject({ pick: '@stop' })
  })

  it('is told what is offered instead of what was typed', async () => {
    const slips = ['shipp', '7', '0', 'constructor']
    const { answer, type, out } = sit(asked())
    for (const slip of slips) await type('Your choice', slip)
    await type('Your choice', 'ship')
    await type('Note', '')
    expect(await answer).toMatchObject({ pick: 'ship' })
    for (const slip of slips) expect(out()).toContain(`"${slip}" is not offered. Choose one of: ship, fix.`)
  })

  it('answers an agent in words, where that is meant', async () => {
    const { answer, type } = sit(ofAgent())
    await type('Your choice (a number, a key, or words; Enter for sqlite)', 'neither of them')
    await type('Answer only with these words: "neither of them"?', 'y')
    expect(await answer).toMatchObject({ pick: '', note: 'neither of them', digest: 'digest-1' })
    expect(SHOWN.options.map(({ key }) => key)).not.toContain('neither of them')
  })

  it('may go away, or be too late', async () => {
    const away = sit(asked())
    await away.type('Your choice', 'ship')
    away.input.end()
    expect(await away.answer).toBeNull()
    const late = sit(asked())
    late.leaving.abort()
    expect(await late.answer).toBeNull()
  })
})
