/** Random contracts: variables, fields and handoffs that rows may or may not name. */
import fc from 'fast-check'
import type { Contract, Field, Handoff, Option, TableRow, Variable } from '../model/contract.ts'
import { routable, valuesOf } from '../model/subjects.ts'

const option = (value: string, confirm: boolean): Option => ({
  value,
  label: value,
  say: '',
  recommended: false,
  confirm,
  reversible: true,
})

const variable = (name: string): fc.Arbitrary<Variable> =>
  fc
    .record({ confirms: fc.array(fc.boolean(), { minLength: 2, maxLength: 3 }), optional: fc.boolean() })
    .map(({ confirms, optional }) => ({
      name,
      options: confirms.map((confirm, index) => option(`o${index}`, confirm)),
      ...(optional ? { optional: true as const } : {}),
    }))

const closedField = (name: string): fc.Arbitrary<Field> =>
  fc.record({ isChoice: fc.boolean(), required: fc.boolean() }).map(({ isChoice, required }) => ({
    name,
    type: isChoice ? ('choice' as const) : ('boolean' as const),
    say: '',
    requiredFor: required ? ['any'] : [],
    choices: isChoice ? ['high', 'medium', 'low'] : [],
  }))

const text: Field = { name: 'line', type: 'text', say: '', requiredFor: ['any'], choices: [] }

const handoff: fc.Arbitrary<Handoff | null> = fc.option(
  fc
    .record({
      fields: fc.tuple(closedField('h1'), closedField('h2')),
      partial: fc.boolean(),
      fallback: fc.constantFrom('Nothing was handed over.', null),
      hasText: fc.boolean(),
    })
    .map(({ fields, partial, fallback, hasText }) => ({
      name: 'paper',
      version: 1,
      fields: hasText ? [...fields, text] : fields,
      partial,
      fallback,
    })),
)

/** A contract with a table that is total. Its last row takes what the others leave. */
export const tableContract: fc.Arbitrary<Contract> = fc
  .record({
    variables: fc
      .constantFrom<readonly string[]>([], ['p'], ['p', 'q'])
      .chain((names) => fc.tuple(...names.map(variable))),
    fields: fc.tuple(closedField('f1'), closedField('f2')),
    handoff,
    rowCount: fc.integer({ min: 1, max: 4 }),
    why: fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
  })
  .map(({ variables, fields, handoff: handed, rowCount, why }) => {
    const outcomes = [...Array.from({ length: rowCount }, (_, index) => `row-${index + 1}`), 'rest']
    const everywhere = fields.map((field) => ({
      ...field,
      requiredFor: field.requiredFor.length > 0 ? outcomes : [],
    }))
    const needed = outcomes.filter((_, index) => why.includes(index))
    return {
      variables,
      rows: outcomes.map((outcome): TableRow => ({ outcome, when: {} })),
      fields: [...everywhere, { ...text, name: 'why', requiredFor: needed }],
      handoff: handed,
    }
  })
  .chain((contract) =>
    fc.tuple(...contract.rows.slice(0, -1).map(() => conditions(contract))).map((whens) => ({
      ...contract,
      rows: contract.rows.map((row, index): TableRow => ({ ...row, when: whens[index] ?? {} })),
    })),
  )

const conditions = (contract: Contract): fc.Arbitrary<TableRow['when']> =>
  fc
    .dictionary(
      fc.constantFrom(...routable(contract).map(({ name }) => name)),
      fc.array(fc.nat({ max: 10 }), { minLength: 1, maxLength: 2 }),
      { maxKeys: 3 },
    )
    .map((picks) =>
      Object.fromEntries(
        Object.entries(picks).map(([name, indexes]) => {
          const values = valuesOf(routable(contract).find((subject) => subject.name === name)!)
          return [name, [...new Set(indexes.map((index) => values[index % values.length]!))]]
        }),
      ),
    )
