/** The inbox at a terminal that a test types into, with a real host behind it. */
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DecisionOrder, PersonAnswer } from '../../host/inbox/decisions.ts'
import { type Opened, openOperations } from '../../http/doors.fixture.ts'
import { FailureError } from '../../model/failure.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { walkInbox } from './inbox.ts'
import { reviewDecision } from './review.ts'

const PATIENCE_MS = 20_000

interface Sitting {
  readonly type: (keys: string) => void
  /** Resolves when the screen has the words, and not before. */
  readonly shows: (words: string | RegExp) => Promise<void>
  readonly screen: () => string
  readonly left: Promise<number>
  readonly raw: () => readonly boolean[]
}

function sitDown(
  begin: (at: { input: PassThrough; output: PassThrough; signal: AbortSignal }) => Promise<number>,
): Sitting {
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) })
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 30 })
  let all = ''
  let heard = (): void => {}
  output.on('data', (chunk: Buffer) => {
    all += chunk.toString('utf8')
    heard()
  })
  const screen = (): string => all.slice(all.lastIndexOf('\u001B[H') + 1)
  const abort = new AbortController()
  const left = begin({ input, output, signal: abort.signal })
  onTestFinished(async () => {
    abort.abort()
    await left.catch(() => undefined)
  })
  return {
    type: (keys) => {
      input.write(keys)
    },
    shows: async (words) => {
      const deadline = setTimeout(() => heard(), PATIENCE_MS)
      const until = Date.now() + PATIENCE_MS
      while (!(typeof words === 'string' ? screen().includes(words) : words.test(screen()))) {
        if (Date.now() >= until) throw new Error(`never showed ${String(words)}:\n${screen()}`)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
      clearTimeout(deadline)
    },
    screen,
    left,
    raw: () => raw,
  }
}

const walk = ({ operations, clock }: Opened, holdMs = 0): Sitting =>
  sitDown((at) => walkInbox({ operations, paint: (_, text) => text, now: () => clock.now(), holdMs, ...at }))

async function raise(
  { operations }: Opened,
  headline: string,
  {
    resume = null,
    ...more
  }: { readonly resume?: DecisionOrder['resume'] } & Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const made = await operations.decisions.create({
    payload: {
      headline,
      question: `${headline} Really?`,
      options: [
        { key: 'yes', label: 'Yes', body: 'Do it.' },
        { key: 'no', label: 'No', body: 'Leave it.', reversible: false },
      ],
      ...more,
    },
    asker: { agent: 'bot', program: '', version: '', model: '' },
    door: 'cli',
    resume,
    repo: '',
  })
  if ('problem' in made) throw new Error(made.problem)
  return made.id
}

const record = async ({ operations }: Opened, id: string) => {
  const found = await operations.decisions.show(id)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

const NO: PersonAnswer = { pick: 'no', note: '', fields: {}, edited: null, digest: null, together: false }

describe('the inbox at a terminal', () => {
  it('[Q27] answers what runs a long command only when its end was on the screen', async () => {
    const opened = openOperations()
    const argv = ['sh', '-c', `${'echo word; '.repeat(150)}echo THE-END`]
    const id = await raise(opened, 'Go on?', { resume: { argv, cwd: '/' } })
    const sitting = walk(opened)
    await sitting.shows('more lines (space)')
    expect(sitting.screen()).not.toContain('THE-END')
    sitting.type('1')
    await sitting.shows('Not answered: not all of it was on the screen yet.')
    expect(await record(opened, id)).toMatchObject({ status: 'open' })
    sitting.type('  ')
    await sitting.shows('THE-END')
    sitting.type(' ')
    await sitting.shows(/ 2 {2}no/)
    sitting.type('1')
    await sitting.shows('Nobody waits for you.')
    expect(await record(opened, id)).toMatchObject({ pick: 'yes' })
  })

  it('[J9] says so of a decision whose record was changed, and the others are answered', async () => {
    const opened = openOperations()
    const first = await raise(opened, 'First?', { urgency: 'high' })
    const second = await raise(opened, 'Second?')
    const { decisions } = opened.operations
    const show = decisions.show.bind(decisions)
    decisions.show = (id) =>
      id === first ? Promise.reject(new FailureError('altered', 'Its record was changed.')) : show(id)
    const sitting = walk(opened)
    await sitting.shows('Its record was changed.')
    sitting.type('j')
    await sitting.shows('Second?')
    sitting.type('1')
    await sitting.shows(/1 of 1[\s\S]*Its record was changed\./)
    expect(await record(opened, second)).toMatchObject({ pick: 'yes' })
    sitting.type('q')
    await sitting.left
  })

  it('is walked with single keys: answers, notes, and one answer taken back', async () => {
    const opened = openOperations()
    const first = await raise(opened, 'First?', { urgency: 'high' })
    const second = await raise(opened, 'Second?')
    const sitting = walk(opened)
    await sitting.shows(/1 of 2[\s\S]*First\?/)
    sitting.type('nwith care\r')
    await sitting.shows('note: with care')
    sitting.type('1')
    await sitting.shows(new RegExp(`Second\\?[\\s\\S]*${first} answered with yes`))
    expect(await record(opened, first)).toMatchObject({ status: 'answered', pick: 'yes', note: 'with care' })
    sitting.type('2')
    await sitting.shows('"no" cannot be undone')
    sitting.type('y')
    await sitting.shows('Nobody waits for you.')
    expect(await record(opened, second)).toMatchObject({ pick: 'no', note: '' })
    // What was given at once cannot be taken back, and that is not offered.
    expect(sitting.screen()).not.toContain('undo')
    sitting.type('q')
    expect(await sitting.left).toBe(0)
    expect(sitting.raw()).toEqual([true, false])
  })

  it('[Q28] takes back the last answer for as long as it says', async () => {
    const opened = openOperations()
    const id = await raise(opened, 'First?')
    const sitting = walk(opened, 5000)
    await sitting.shows('First?')
    sitting.type('1')
    await sitting.shows('u undo (5 s)')
    expect(await record(opened, id)).toMatchObject({ undoableUntil: opened.clock.now() + 5000 })
    sitting.type('u')
    await sitting.shows(/First\?[\s\S]*is open again/)
    sitting.type('1')
    await sitting.shows('u undo (5 s)')
    opened.clock.advance(5000)
    await sitting.shows(/Nobody waits for you(?![\s\S]*undo)/)
    sitting.type('q')
    expect(await sitting.left).toBe(0)
  })

  it('takes off the screen what somebody else has answered, and says who', async () => {
    const opened = openOperations()
    const first = await raise(opened, 'First?', { urgency: 'high' })
    await raise(opened, 'Second?')
    const sitting = walk(opened)
    await sitting.shows('First?')
    sitting.type('nhalf a no')
    await sitting.shows('half a no')
    await opened.operations.decisions.answer(first, NO)
    await sitting.shows(/answered "First\?" with no/)
    sitting.type('1')
    await sitting.shows(/1 of 1[\s\S]*Second\?[\s\S]*1-2 pick/)
    sitting.type('\u0003')
    expect(await sitting.left).toBe(130)
  })

  it('answers all alike together, puts off and assigns', async () => {
    const opened = openOperations()
    const [one, two] = [await raise(opened, 'Same?'), await raise(opened, 'Same?')]
    const other = await raise(opened, 'Other?', { urgency: 'low' })
    const sitting = walk(opened)
    await sitting.shows(/1 of 2[\s\S]*×2 ask the same/)
    sitting.type('t')
    await sitting.shows('answering all 2 together')
    sitting.type('1')
    await sitting.shows(/Other\?[\s\S]*answered with yes, 2 together/)
    for (const id of [one, two]) expect(await record(opened, id)).toMatchObject({ pick: 'yes' })
    sitting.type('aanna\r')
    await sitting.shows('is for anna')
    sitting.type('s2h\r')
    await sitting.shows('comes back in 2h')
    expect(await record(opened, other)).toMatchObject({ assignee: 'anna', status: 'open' })
    sitting.type('q')
    expect(await sitting.left).toBe(0)
  })

  it('shows what comes in, and answers the questions of runs too', async () => {
    const opened = openOperations()
    await opened.begin('it all')
    const sitting = walk(opened)
    await sitting.shows(/1 of 1[\s\S]*Ship it all\?[\s\S]*→ done/)
    await raise(opened, 'Another?', { urgency: 'high' })
    await sitting.shows(/2 of 2[\s\S]*Ship it all\?/)
    sitting.type('1')
    await sitting.shows(/Another\?[\s\S]*answered with ship/)
    sitting.type('q')
    expect(await sitting.left).toBe(3)
  })

  it('with nothing in it ends at once', async () => {
    expect(await walk(openOperations()).left).toBe(0)
  })
})

describe('a review', () => {
  const review = (opened: Opened, id?: string) => {
    const paper = openPaper()
    const { operations, clock } = opened
    const sitting = sitDown((person) =>
      reviewDecision(id, {
        terminal: paper.terminal,
        operations,
        person,
        columns: 80,
        now: () => clock.now(),
        holdMs: 0,
      }),
    )
    return { ...sitting, paper }
  }

  it('shows one in full, and asks line by line', async () => {
    const opened = openOperations()
    const id = await raise(opened, 'First?', { context: `${'line\n'.repeat(100)}the last` })
    const sitting = review(opened)
    await sitting.shows('Your choice')
    expect(sitting.paper.out()).toContain('│ the last')
    sitting.type('2\n')
    await sitting.shows('Note')
    sitting.type('not now\n')
    await sitting.shows('cannot be undone')
    sitting.type('y\n')
    expect(await sitting.left).toBe(0)
    expect(await record(opened, id)).toMatchObject({ pick: 'no', note: 'not now' })
  })

  it('takes words that are none of the options only when that is meant', async () => {
    const opened = openOperations()
    const id = await raise(opened, 'First?')
    const sitting = review(opened, id.slice(0, 6))
    await sitting.shows('Your choice')
    sitting.type('maybe\n')
    await sitting.shows('only with these words: "maybe"')
    sitting.type('n\n')
    await sitting.shows(/Your choice[\s\S]*Your choice/)
    sitting.type('neither\n')
    await sitting.shows('"neither"')
    sitting.type('y\n')
    expect(await sitting.left).toBe(0)
    expect(await record(opened, id)).toMatchObject({ pick: '', note: 'neither' })
  })

  it('ends when somebody else has answered', async () => {
    const opened = openOperations()
    const id = await raise(opened, 'First?')
    const sitting = review(opened, id)
    await sitting.shows('Your choice')
    await opened.operations.decisions.answer(id, NO)
    expect(await sitting.left).toBe(0)
    expect(sitting.paper.out()).toContain('has answered it with no')
  })
})
