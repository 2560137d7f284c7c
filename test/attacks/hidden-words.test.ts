/** What a person or a policy decides on says something else than it seems to, or says it where nobody looks. */
import { expect, it } from 'vitest'
import { type Policy, policyFor } from '../../src/attention/policy.ts'
import { appOf, openOperations } from '../../src/http/doors.fixture.ts'
import { createLinks } from '../../src/http/links.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const ORDER = {
  asker: { agent: 'claude', program: '', version: '', model: '' },
  door: 'http',
  resume: null,
  repo: '/somewhere',
} as const

async function raised(over: object) {
  const { operations, options } = openOperations()
  const made = await operations.decisions.create({ ...ORDER, payload: { ...EXAMPLE_DECISION, ...over } })
  if ('problem' in made) throw new Error(made.problem)
  const record = await operations.decisions.show(made.id)
  if ('problem' in record) throw new Error(record.problem)
  return { record, options }
}

const optionsWith = (more: object) => EXAMPLE_DECISION.options.map((each) => ({ ...each, ...more }))

const POLICY: Policy = {
  name: 'all-of-them',
  when: { headline: '*' },
  answer: 'sqlite',
  confidence: null,
  until: '2030-01-01',
  expiresAt: 10 ** 15,
  note: '',
}

it('[Y9] from a policy: no other spelling of what is dangerous is answered', async ({ task }) => {
  expect(policyFor([POLICY], (await raised({})).record, 0)).not.toBeNull()
  const bodies = [
    'git push \u2011\u2011force origin main',
    'git pu""sh --for\\ce',
    'git$IFS' + 'push$IFS--force',
    'a=pu; b=sh; git $a$b -f',
    'd\u200Belete the branch',
    'de**le**te the branch',
    'r\u043C -rf build',
    'd&#101;lete the branch',
    'eval "$(printf \'\\162\\155\') -rf build"',
  ]
  for (const body of bodies) {
    const { record } = await raised({ options: optionsWith({ body }) })
    expect(policyFor([POLICY], record, 0), body).toBeNull()
  }
  task.meta.deeds = bodies.length
})

it('[N6] from who opens a link: nothing on the page mirrors or hides what stands there', async ({ task }) => {
  const { record, options } = await raised({
    headline: 'Harmless\u202E?egnahc',
    context: 'See\u200B \u{E0072}\u{E006D}',
    options: optionsWith({ reversible: false, label: 'Keep \u202E', body: 'It \u2066is fine' }),
  })
  const link = createLinks({ url: '', secrets: options.keys.secrets })({ ...record, person: 'alice' })
  const response = await appOf(options).request(link, { headers: { host: 'localhost' } })
  const page = await response.text()
  expect(response.status).toBe(200)
  expect(page).not.toMatch(/[\u200B\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E0FFF}]/u)
  for (const named of ['U+202E', 'U+200B', 'U+E0072', 'U+2066', 'cannot be undone'])
    expect(page).toContain(named)
  // None of it stands in a box of its own that scrolls.
  expect(page).not.toMatch(/max-height|overflow: (?:auto|scroll|hidden)/)
  task.meta.deeds = 4
})

attack(
  '[Q30] behind the end of a card: a permission shows all of it or cannot be given, and its options have our names',
  {
    permissions: 'ask',
    plays: ({ plant, evil }) => ({
      develop: [
        [
          ...[`true ${'x'.repeat(6_000)}`, `true ${'x'.repeat(70_000)}`].map(
            (long, index) =>
              ({
                permission: { title: 'List files', kind: 'execute', input: { command: `${long}; ${evil}` } },
                allowed: [{ run: evil }],
                rejected: [plant(`refused-${index}`, 'true')],
              }) as const,
          ),
          { say: 'FINISHED' },
        ],
      ],
    }),
  },
  async ({ run, evil, fired }) => {
    const shown = await run.until('question.opened', 1)
    expect(shown.decision?.context).toContain(`; ${evil}`)
    await run.answer({ pick: 'reject_once' })
    const tooLong = await run.until('question.opened', 2)
    expect(tooLong.decision?.options.map(({ key }) => key)).toEqual(['reject_once', 'reject_always'])
    expect(tooLong.decision?.context).toContain('This request cannot be allowed')
    await run.answer({ pick: 'reject_once' })
    expect(await run.end()).toBe('done')
    expect(fired()).toBe(0)
  },
)
