import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../model/answer.ts'
import { combinationsFor, mayLeaveOut, possibleOutcomes, surveyOf } from '../model/combinations.ts'
import { type Contract, type Field, needsConfirmation, outcomesOf } from '../model/contract.ts'
import { outcomeOf, partsOf, type SubjectValues, subjectsOf, valuesIn } from '../model/subjects.ts'
import { validateAnswer } from './answer.ts'
import { tableContract } from './contract.fixture.ts'
import { exampleAnswer } from './contract-text.ts'
import { completedBy } from './in-stead.ts'
import { answerSchema } from './views/answer-schema.ts'
import { givenFor } from './views/pick.ts'

const read = (contract: Contract, value: unknown, patience: 'strict' | 'lenient'): Answer | string => {
  const lenient = patience === 'lenient'
  const expected = { contract, known: [], settleOn: null, looping: [], lenient }
  const result = validateAnswer(expected, { kind: 'value', value })
  return 'message' in result ? result.message : result.answer
}

/** Every combination that some answer can have, found by giving each of them. */
function* given(
  contract: Contract,
  subjects = subjectsOf(contract),
  values: SubjectValues = {},
): Generator<Answer> {
  const [first, ...rest] = subjects
  if (first !== undefined) {
    for (const value of first.values) yield* given(contract, rest, { ...values, [first.name]: value })
    if (first.optional) yield* given(contract, rest, values)
    return
  }
  const { choices, fields, handed } = partsOf(contract, values)
  const value = {
    ...filled(contract, contract.fields),
    ...choices,
    ...fields,
    notes: 'See there.',
    handoff: { ...filled(contract, contract.handoff?.fields ?? []), ...handed },
  }
  for (const patience of ['strict', 'lenient'] as const) {
    const answer = read(contract, value, patience)
    if (typeof answer === 'string') continue
    if (JSON.stringify(valuesIn(contract, answer)) === JSON.stringify(values)) yield answer
  }
  const { handoff: _, notes: __, ...bare } = value
  const answer = read(contract, bare, 'lenient')
  if (typeof answer !== 'string') yield answer
}

/** What must be there beside what decides. */
const filled = (contract: Contract, fields: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(
        ({ name, requiredFor }) =>
          requiredFor.length > 0 && !subjectsOf(contract).some((one) => one.name === name),
      )
      .map(({ name, type, choices }) => [name, type === 'boolean' ? true : (choices[0] ?? 'x')]),
  )

describe('a table', () => {
  it('[C7] [C10] has the outcomes that answers can have, taken by themselves or as proposals, and no others', () => {
    fc.assert(
      fc.property(tableContract, (contract) => {
        const found = new Set<string>()
        for (const { outcome, choices } of given(contract))
          found.add(`${outcome} ${needsConfirmation(contract, choices)}`)
        const claimed = outcomesOf(contract).flatMap((outcome) =>
          combinationsFor(contract, outcome).map(({ confirm }) => `${outcome} ${confirm}`),
        )
        expect(new Set(claimed)).toEqual(found)
        const whole = new Set(
          [...given(contract)].flatMap(({ outcome, choices, handoff }) =>
            handoff === null || handoff.quality === 'full'
              ? [`${outcome} ${needsConfirmation(contract, choices)}`]
              : [],
          ),
        )
        for (const outcome of possibleOutcomes(contract))
          for (const { confirm, lacksHandoff } of combinationsFor(contract, outcome))
            expect(lacksHandoff).toBe(!whole.has(`${outcome} ${confirm}`))
        expect(new Set(claimed).size).toBe(claimed.length)
        expect(surveyOf(contract).missing).toBeNull()
      }),
      { numRuns: 400 },
    )
  })

  it('[C5] knows what an answer with an outcome may have left out', () => {
    fc.assert(
      fc.property(tableContract, (contract) => {
        const found = new Set<string>()
        for (const answer of given(contract)) {
          const values = valuesIn(contract, answer)
          for (const { name } of subjectsOf(contract))
            if (values[name] === undefined) found.add(`${answer.outcome} ${name}`)
        }
        for (const outcome of possibleOutcomes(contract))
          for (const { name } of subjectsOf(contract))
            expect(mayLeaveOut(contract, outcome, name)).toBe(found.has(`${outcome} ${name}`))
      }),
      { numRuns: 300 },
    )
  })

  it('[A2] has an example for each way to each outcome, which leads there', () => {
    fc.assert(
      fc.property(tableContract, (contract) => {
        for (const outcome of possibleOutcomes(contract)) {
          expect(read(contract, exampleAnswer(contract, outcome), 'lenient')).toMatchObject({ outcome })
          for (const way of combinationsFor(contract, outcome)) {
            const example = exampleAnswer(contract, outcome, way)
            const strict = read(contract, example, 'strict')
            if (way.lacksHandoff) expect(typeof strict).toBe('string')
            const answer = read(contract, example, way.lacksHandoff ? 'lenient' : 'strict') as Answer
            expect(answer.outcome).toBe(outcome)
            expect(valuesIn(contract, answer)).toEqual(way.values)
            expect(outcomeOf(contract, way.values)).toBe(outcome)
            expect(needsConfirmation(contract, answer.choices)).toBe(way.confirm)
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  it('[A2] tells a correct answer with every rejection', () => {
    fc.assert(
      fc.property(tableContract, fc.jsonValue(), (contract, value) => {
        const message = read(contract, value, 'strict')
        if (typeof message !== 'string') return
        const [, json] = /```json\n(.*)\n```/.exec(message)!
        expect(read(contract, JSON.parse(json!), 'strict')).toHaveProperty('outcome')
      }),
      { numRuns: 300 },
    )
  })

  it('[R7] gives a person who picks an outcome that outcome, whatever was proposed', () => {
    fc.assert(
      fc.property(tableContract, fc.nat(), (contract, seed) => {
        const answers = [...given(contract)]
        const proposal = answers[seed % answers.length]!
        for (const pick of possibleOutcomes(contract)) {
          const card = { cause: 'proposal', contract, proposal } as const
          const picked = givenFor(card, pick, { why: 'So.' }).given
          const completed = completedBy(contract, proposal, picked)
          if (completed.kind !== 'value') throw new Error('nothing is given')
          const whole = { notes: 'See there.', ...(completed.value as object) }
          const answer = read(contract, whole, 'lenient')
          // A handoff that must be whole needs more than a pick; an answer never leads elsewhere.
          if (typeof answer === 'string') expect(answer).toContain('is missing.')
          else if (answer.handoff?.quality !== 'fallback') expect(answer.outcome).toBe(pick)
          if (pick === proposal.outcome && typeof answer !== 'string') {
            expect(answer.outcome).toBe(pick)
            expect(valuesIn(contract, answer)).toEqual(valuesIn(contract, proposal))
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('[A1] asks in the tool only for what no answer may leave out', () => {
    fc.assert(
      fc.property(tableContract, (contract) => {
        const { required } = answerSchema(contract)
        const always = subjectsOf(contract).filter(({ from, optional }) => from !== 'handoff' && !optional)
        expect(required).toEqual(always.map(({ name }) => name))
      }),
    )
  })
})
