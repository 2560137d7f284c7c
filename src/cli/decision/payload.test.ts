import { describe, expect, it } from 'vitest'
import { parseDecision } from '../../model/decision.ts'
import { pairsOf, payloadIn, payloadOf, resumeOf } from './payload.ts'

describe('a payload from flags', () => {
  it('is one that the contract takes', () => {
    const made = payloadOf({
      headline: 'Which store?',
      question: 'Where are sessions kept?',
      option: ['sqlite=SQLite file: Keep them: in the file.', 'redis=Redis'],
      confidence: ['sqlite=0.8'],
      irreversible: ['redis'],
      recommended: 'sqlite',
      evidence: ['size=12 = small'],
      urgency: 'high',
      deadline: '2h',
    })
    if ('problem' in made) throw new Error(made.problem)
    expect(parseDecision(made.payload)).toMatchObject({
      decision: {
        options: [
          { key: 'sqlite', label: 'SQLite file', body: 'Keep them: in the file.', confidence: 0.8 },
          { key: 'redis', label: 'Redis', body: '', reversible: false },
        ],
        recommended: 'sqlite',
        evidence: { size: '12 = small' },
        urgency: 'high',
        deadlineMs: 7_200_000,
      },
    })
  })

  it('says nothing that was not said, and overrides what a file says', () => {
    expect(payloadOf({})).toEqual({ payload: {} })
    expect(
      payloadOf({ headline: 'B', evidence: ['b=2'] }, { headline: 'A', evidence: { a: '1' }, x: 1 }),
    ).toEqual({ payload: { headline: 'B', evidence: { a: '1', b: '2' }, x: 1 } })
  })

  it('is told what is wrong in the flags themselves', () => {
    expect(payloadOf({ option: ['sqlite'] })).toEqual({
      problem: '--option takes KEY=LABEL or KEY=LABEL:BODY, not "sqlite".',
    })
    expect(payloadOf({ option: ['a=A'], irreversible: ['b'] })).toEqual({
      problem: 'There is no --option "b". The keys given are: a.',
    })
    for (const text of ['a=high', 'a=', 'a=0,8', 'a=1.1', 'a=-1', 'a'])
      expect(payloadOf({ option: ['a=A'], confidence: [text] })).toEqual({
        problem: `--confidence takes KEY=NUMBER from 0 to 1, not "${text}".`,
      })
    expect(pairsOf(['=x'], '--field takes NAME=TEXT')).toEqual({
      problem: '--field takes NAME=TEXT, not "=x".',
    })
  })
})

describe('a payload from a file', () => {
  it('is one object of JSON', () => {
    expect(payloadIn('{"headline":"A"}')).toEqual({ payload: { headline: 'A' } })
    expect(payloadIn('[1]')).toHaveProperty('problem')
    expect(payloadIn('{')).toMatchObject({ problem: expect.stringContaining('is not JSON') })
  })
})

describe('a command to resume', () => {
  it('is words, without a shell', () => {
    expect(resumeOf("agent --resume 'session 1'")).toEqual({ argv: ['agent', '--resume', 'session 1'] })
    expect(resumeOf('agent > out')).toMatchObject({ problem: expect.stringContaining('without a shell') })
    expect(resumeOf('')).toMatchObject({ problem: expect.stringContaining('--resume') })
  })
})
