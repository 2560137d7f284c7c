/** Secrets in every position a message has. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMask, MASKED } from './mask.ts'

const masked = (value: unknown, ...secrets: string[]): unknown => {
  const mask = createMask()
  for (const secret of secrets) mask.hide(secret)
  return mask.apply(value)
}

describe('a mask', () => {
  it('takes away what stands under a telling name, and leaves amounts', () => {
    const message = {
      apiKey: 'a',
      headers: [
        { name: 'Authorization', value: 'b' },
        { name: 'Accept', value: 'kept' },
      ],
      env: [{ name: 'SIGNALBOX_MCP_TOKEN', value: 'c' }],
      deep: { password: ['d', 5], 'x-api-key': { main: 'e' }, client_secret: 'f' },
      usage: { tokens: 12, inputTokens: 3 },
    }
    expect(masked(message)).toEqual({
      apiKey: MASKED,
      headers: [
        { name: 'Authorization', value: MASKED },
        { name: 'Accept', value: 'kept' },
      ],
      env: [{ name: 'SIGNALBOX_MCP_TOKEN', value: MASKED }],
      deep: { password: [MASKED, MASKED], 'x-api-key': { main: MASKED }, client_secret: MASKED },
      usage: { tokens: 12, inputTokens: 3 },
    })
  })

  it.each([
    ['a bearer', 'curl -H "Authorization: Bearer abc.def-123"', 'curl -H "Authorization: Bearer ***"'],
    ['an assignment', 'env\nOPENAI_API_KEY=abc123\nHOME=/root', 'env\nOPENAI_API_KEY=***\nHOME=/root'],
    ['a quoted one', "DB_PASSWORD='a b' run", 'DB_PASSWORD=*** run'],
    ['JSON in a text', 'it said {"token": "abc"} to me', 'it said {"token": "***"} to me'],
    [
      'JSON in JSON in a text',
      String.raw`x {\"client_secret\":\"a\\\"b\"} y`,
      String.raw`x {\"client_secret\":\"***\"} y`,
    ],
    ['all JSON', '{ "password": "abc", "n": 1 }', '{"password":"***","n":1}'],
    ['a key by its look', 'use sk-ant-api03-abcdefghijklmnop now', 'use *** now'],
    ['another', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', '***'],
    ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl.', '***.'],
    ['a personal token of ours', 'sbp_anna.abcdefghijklmnopqrstuvwx', '***'],
    ['a private key', 'a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b', 'a *** b'],
  ])('takes away %s', (_what, text, rest) => {
    expect(masked(text)).toBe(rest)
  })

  it.each([
    'const token = readToken(request)',
    'the bearer of bad news',
    '{ "prompt": "keep  my   spaces" }',
    'skip-this, sk-short, key: value',
  ])('leaves %s', (text) => {
    expect(masked(text)).toBe(text)
  })

  it('knows what it saw under a telling name, before and after, and in later messages', () => {
    const mask = createMask()
    const token = 'Zm9vYmFyLWJhei1xdXV4'
    expect(mask.apply([`first ${token}`, { token }, `then ${token}`])).toEqual([
      'first ***',
      { token: MASKED },
      'then ***',
    ])
    expect(mask.apply({ [`in a key ${token}`]: `https://x/?q=${token}` })).toEqual({
      'in a key ***': 'https://x/?q=***',
    })
  })

  it('does not take what is too short to be a secret', () => {
    const mask = createMask()
    mask.hideVariables({ KEY: 'us', TOKEN: 'true' })
    expect(mask.apply('just us, true')).toBe('just us, true')
  })

  it('[D11] no secret survives, wherever it stands and however deep', () => {
    fc.assert(
      fc.property(
        secret,
        fc.array(wrapping, { maxLength: 4 }),
        fc.array(secret, { maxLength: 3 }),
        (hidden, wrappings, more) => {
          const value = wrappings.reduce<unknown>((inner, wrap) => wrap(inner), `before ${hidden} after`)
          const result = masked(value, ...more, hidden)
          expect(allTexts(result).filter((text) => text.includes(hidden))).toEqual([])
          // It is still a message.
          expect(JSON.parse(JSON.stringify(result))).toEqual(result)
        },
      ),
      { numRuns: 150 },
    )
  })
})

const SIGNS = Array.from('abcXYZ019-_./+=:"\'\\ \n\t{}[],é€😀')

const secret = fc
  .string({ unit: fc.constantFrom(...SIGNS), minLength: 8, maxLength: 24 })
  .filter((text) => text.trim().length >= 8)

type Wrapping = (inner: unknown) => unknown

const asText = (inner: unknown): string => (typeof inner === 'string' ? inner : JSON.stringify(inner))
const ascii = (text: string): string =>
  text.replaceAll(/[\u007F-\uFFFF]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const wrapping: fc.Arbitrary<Wrapping> = fc.constantFrom<Wrapping>(
  (inner) => ({ text: inner, type: 'text' }),
  (inner) => [1, inner, null],
  (inner) => ({ [asText(inner)]: true }),
  (inner) => JSON.stringify(inner),
  (inner) => JSON.stringify(inner, null, 2),
  (inner) => ascii(JSON.stringify(inner)).replaceAll('/', '\\/'),
  (inner) => `It answered ${asText(inner)} and left.`,
  (inner) => JSON.stringify({ content: [{ type: 'text', text: asText(inner) }] }),
)

/** Every text in it, and every text that can be read out of those. */
function allTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...inside(value)]
  if (Array.isArray(value)) return value.flatMap(allTexts)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [...allTexts(key), ...allTexts(each)])
}

/** As somebody would who unfolds JSON in a text, whole or in part, as often as it goes. */
function inside(text: string): string[] {
  const texts: string[] = []
  let rest = text
  for (let depth = 0; depth < 5; depth++) {
    const next = rest.replaceAll(/\\(u[\da-f]{4}|.)/gis, (_, sign: string) =>
      sign.length > 1 ? String.fromCharCode(Number.parseInt(sign.slice(1), 16)) : (ESCAPES[sign] ?? sign),
    )
    if (next === rest) break
    texts.push(next)
    rest = next
  }
  return texts
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
