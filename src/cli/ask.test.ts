import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { given, type Scene } from '../engine/given.fixture.ts'
import { type QuestionCard, questionsOf } from '../engine/index.ts'
import { answerFor, askAtTerminal, questionText, recommendedOf } from './ask.ts'
import { openPaper } from './terminal.fixture.ts'

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
      hours: { type: number }
      names: { type: list }
`

const card = ({ program, state }: Scene): QuestionCard => questionsOf(program, state, () => undefined)[0]!
const asked = (context = 'a.txt | 2 +-'): QuestionCard =>
  card(given(FLOW).started().answer('work', { risk: 'low', size: 'big' }).context('sign_off', { context }))
const faulted = (): QuestionCard => card(given(FLOW).started().fault('work', 'failed', 'it crashed'))
const nothing = { note: '', fields: {} }

describe('a question at the terminal', () => {
  it('shows what is asked, what was found, and where each choice leads', () => {
    const text = questionText(asked(), openPaper().terminal)
    expect(text).toContain('? Ship it?')
    expect(text).toContain('│ a.txt | 2 +-')
    expect(text).toMatch(/1 {2}ship \(recommended\) {2}Keep it {2}→ done/)
    expect(text).toMatch(/2 {2}fix {2}Once more {2}→ /)
  })

  it('cuts what is too long to read, and shows nothing that moves the cursor', () => {
    const text = questionText(asked(`\u001B[2Jfirst\n${'line\n'.repeat(500)}`), openPaper().terminal)
    expect(text).not.toContain('\u001B')
    expect(text).toContain('more lines')
    expect(text.split('\n').length).toBeLessThan(60)
  })

  it('of a fault says what went wrong, and offers retry and stop', () => {
    const text = questionText(faulted(), openPaper().terminal)
    expect(text).toContain('it crashed')
    expect(text).toMatch(/@retry {2}try the step again/)
    expect(text).toMatch(/@stop {2}end the run here/)
  })
})

describe('an answer from the terminal', () => {
  it('is the choice, in the words of the contract', () => {
    const { id: question } = asked()
    expect(answerFor(asked(), 'ship', { note: 'good', fields: {} })).toEqual({
      kind: 'answer',
      question,
      extra: null,
      given: { kind: 'value', value: { decision: 'ship' } },
      note: 'good',
    })
  })

  it('carries fields, as what their type says', () => {
    const fields = { why: '12', hours: '12', names: '["a","b"]', unknown: '1' }
    const answer = answerFor(asked(), 'fix', { note: '', fields })
    expect(answer).toMatchObject({
      given: { value: { decision: 'fix', why: '12', hours: 12, names: ['a', 'b'], unknown: '1' } },
    })
    expect(answerFor(asked(), 'fix', { note: '', fields: { hours: 'many' } })).toMatchObject({
      given: { value: { hours: 'many' } },
    })
  })

  it('is judged by the engine like any other', () => {
    const scene = given(FLOW).started().answer('work', { risk: 'low', size: 'big' }).context('sign_off')
    const answer = answerFor(card(scene), 'fix', { note: '', fields: { why: 'no test', hours: '3' } })
    if ('problem' in answer) throw new Error(answer.problem)
    const { question, extra, given: value, note } = answer
    scene.send({
      type: 'question.answer',
      at: 1,
      by: { kind: 'person', name: 'a' },
      question,
      extra,
      given: value,
      note,
    })
    expect(scene.place).toBe('sign_off#2')
  })

  it('stands for every choice of a row, where a table asks', () => {
    const table = faulted()
    const [outcome] = table.choices.map((choice) => choice.outcome)
    expect(outcome).toBeDefined()
    expect(answerFor(table, outcome!, nothing)).toMatchObject({
      given: { kind: 'value', value: { risk: expect.any(String), size: expect.any(String) } },
    })
  })

  it('is retry or stop where that is said', () => {
    for (const extra of ['@retry', '@stop'] as const)
      expect(answerFor(faulted(), extra, nothing)).toMatchObject({ extra, given: { kind: 'nothing' } })
  })

  it('that is not offered says what is', () => {
    expect(answerFor(asked(), 'shipp', nothing)).toEqual({
      problem: '"shipp" is not offered. Choose one of: ship, fix.',
    })
    expect(answerFor(asked(), '', nothing)).toHaveProperty('problem')
    expect(answerFor(asked(), 'constructor', nothing)).toHaveProperty('problem')
  })

  it('is recommended, or not', () => {
    expect(recommendedOf(asked())).toBe('ship')
    expect(recommendedOf(faulted())).toBeNull()
  })
})

describe('a person at the terminal', () => {
  /** Each line is typed when its prompt has been read. */
  const sit = (about: QuestionCard) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const leaving = new AbortController()
    const { terminal, out } = openPaper()
    let shown = ''
    output.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
    const answer = askAtTerminal(about, { terminal, signal: leaving.signal, input, output })
    const type = async (prompt: string, line: string): Promise<void> => {
      await vi.waitFor(() => expect(shown).toContain(prompt), { timeout: 10_000, interval: 5 })
      shown = ''
      input.write(`${line}\n`)
    }
    return { answer, type, input, leaving, out }
  }

  it('picks by number or by name, says what is needed, and may add a note', async () => {
    const byNumber = sit(asked())
    await byNumber.type('your choice', ' 2 ')
    await byNumber.type('why', 'no test')
    await byNumber.type('note', '')
    expect(await byNumber.answer).toMatchObject({
      given: { value: { decision: 'fix', why: 'no test' } },
      note: '',
    })
    const byName = sit(faulted())
    await byName.type('your choice', '@retry')
    await byName.type('note', ' with care ')
    expect(await byName.answer).toMatchObject({ extra: '@retry', note: 'with care' })
  })

  it('takes what is recommended with Enter, and is asked again where nothing is', async () => {
    const recommended = sit(asked())
    await recommended.type('your choice', '')
    await recommended.type('note', '')
    expect(await recommended.answer).toMatchObject({ given: { value: { decision: 'ship' } } })
    const none = sit(faulted())
    await none.type('your choice', '')
    await none.type('your choice', '@stop')
    await none.type('note', '')
    expect(await none.answer).toMatchObject({ extra: '@stop' })
  })

  it('is told what is offered instead of what was typed', async () => {
    const { answer, type, out } = sit(asked())
    for (const slip of ['shipp', '7', '0']) await type('your choice', slip)
    await type('your choice', 'ship')
    await type('note', '')
    expect(await answer).toMatchObject({ given: { value: { decision: 'ship' } } })
    for (const slip of ['shipp', '7', '0'])
      expect(out()).toContain(`"${slip}" is not offered. Choose one of: ship, fix.`)
  })

  it('may go away, or be too late', async () => {
    const away = sit(asked())
    await away.type('your choice', 'ship')
    away.input.end()
    expect(await away.answer).toBeNull()
    const late = sit(asked())
    late.leaving.abort()
    expect(await late.answer).toBeNull()
  })
})
