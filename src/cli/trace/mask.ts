/**
 * Secrets out of what is kept for people to read. A secret is known by its value (told to `hide`, wherever it then stands, also
 * inside JSON inside a text), by the name it stands under, or by its look. What was seen under a telling name is known
 * from then on. It errs on the side of hiding: a trace with a hole is a nuisance, a key in a bug report is not.
 */

export interface Mask {
  /** Never to be seen from now on. What is too short to be a secret is not taken: it would be found everywhere. */
  hide(value: string): void
  /** The values of those whose names tell. */
  hideVariables(variables: Readonly<Record<string, string>>): void
  apply(value: unknown): unknown
}

export const MASKED = '***'
const SHORTEST = 6
/** What only stood under a telling name may be an everyday word. */
const SHORTEST_LEARNT = 16
const MOST_ROUNDS = 4

const TELLING =
  'authorization|cookie|token|secret|passw(?:or)?d|passphrase|credential|(?:api|access|private|signing)[-_ ]?key'
const TELLING_NAME = new RegExp(TELLING, 'i')
const TELLING_VARIABLE = /key|token|secret|passw(?:or)?d|passphrase|credential/i
/** Under such a name a number is an amount. */
const COUNTED = /token/i

export function createMask(): Mask {
  const known = new Set<string>()
  let finder: RegExp | null = null

  const hide = (value: string): void => {
    for (const text of [value, value.trim()])
      if (text.length >= SHORTEST && !/^\*+$/.test(text) && !known.has(text)) {
        known.add(text)
        finder = null
      }
  }
  const learn = (value: string): void => {
    const bare = value.replace(/^(?:bearer|basic)\s+/i, '')
    if (bare.length >= SHORTEST_LEARNT && !/\s/.test(bare)) hide(bare)
  }
  const withoutKnown = (text: string): string => {
    if (known.size === 0) return text
    finder ??= finderOf(known)
    return text.replace(finder, MASKED)
  }
  const maskText = (text: string): string => {
    const [whole, inner] = nestedIn(text)
    const masked = whole === null ? null : mask(inner, 'open')
    const unfolded = masked === null || same(masked, inner) ? text : JSON.stringify(masked)
    return withoutKnown(withoutLooks(withoutKnown(unfolded), learn))
  }
  const mask = (value: unknown, under: Under): unknown => {
    if (typeof value === 'string') {
      if (under === 'open') return maskText(value)
      learn(value)
      return MASKED
    }
    if (typeof value === 'number' && under === 'telling') return MASKED
    if (Array.isArray(value)) return value.map((each) => mask(each, under))
    if (typeof value !== 'object' || value === null) return value
    // Headers and variables are often written as name and value.
    const { name } = value as { readonly name?: unknown }
    const isTellingPair = typeof name === 'string' && TELLING_NAME.test(name)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        maskText(key),
        mask(each, isTellingPair && key === 'value' ? 'telling' : underKey(key, under)),
      ]),
    )
  }
  return {
    hide,
    hideVariables: (variables) => {
      for (const [name, value] of Object.entries(variables)) if (TELLING_VARIABLE.test(name)) hide(value)
    },
    apply: (value) => {
      // What is learnt at the end of a message may stand at its beginning.
      for (let round = 1; ; round++) {
        const before = known.size
        const masked = mask(value, 'open')
        if (known.size === before || round === MOST_ROUNDS) return masked
      }
    },
  }
}

/** Whether a name above tells that this is a secret; counted: or an amount. */
type Under = 'open' | 'telling' | 'counted'

function underKey(key: string, under: Under): Under {
  if (under !== 'open' || !TELLING_NAME.test(key)) return under
  return COUNTED.test(key) ? 'counted' : 'telling'
}

/** The text, if all of it is JSON, and what it says. */
function nestedIn(text: string): readonly [text: string | null, inner: unknown] {
  if (!/^\s*[[{"]/.test(text)) return [null, null]
  try {
    return [text, JSON.parse(text)]
  } catch {
    return [null, null]
  }
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The longest first: one that contains another must go whole. */
function finderOf(known: ReadonlySet<string>): RegExp {
  const forms = new Set([...known].flatMap(formsOf))
  const longestFirst = [...forms].sort((one, other) => other.length - one.length)
  return new RegExp(longestFirst.map(literally).join('|'), 'g')
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const DEEPEST = 3

/** As it stands in a text, in an address, and in JSON within JSON, as the usual programs write it. */
function formsOf(value: string): string[] {
  const forms = new Set([value])
  // A lone half of a character cannot stand in an address.
  if (!/\p{Surrogate}/u.test(value)) forms.add(encodeURIComponent(value))
  let layer = [value]
  for (let depth = 0; depth < DEEPEST; depth++) {
    layer = [...new Set(layer.flatMap(quotedForms))]
    for (const form of layer) forms.add(form)
  }
  return [...forms]
}

function quotedForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replaceAll(
    /[\u007F-\uFFFF]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [plain, plain.replaceAll('/', '\\/'), ascii, ascii.replaceAll('/', '\\/')]
}

const BEARER = /\b(bearer|basic)(\s+)([\w.~+/=-]{6,})/gi
const ASSIGNED =
  /\b([A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)[A-Z0-9_]*=)("[^"]*"|'[^']*'|[^\s"'\\;&|]+)/g
/** In a piece of JSON within a text, with as many backslashes as it is deep. */
const QUOTED = new RegExp(
  `(\\\\*["'])([\\w -]*(?:${TELLING})[\\w -]*)\\1(\\s*:\\s*)(\\\\*["'])(.*?)(?<!\\\\)\\4`,
  'gi',
)
/** Keys of the usual services, signed tokens, private keys, and our own personal tokens. */
const LOOKS = [
  /\bsk-[\w-]{16,}/g,
  /\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g,
  /\bxox[a-z]-[\w-]{10,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:hf|npm|gsk|pypi|whsec)[_-][\w+/=-]{20,}|\bxai-\w{20,}/g,
  /\bsbp_[\w.-]+\.[\w-]{16,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
]

function withoutLooks(text: string, learn: (value: string) => void): string {
  const told = text
    .replace(BEARER, (_, kind: string, space: string, value: string) => {
      learn(value)
      return `${kind}${space}${MASKED}`
    })
    .replace(ASSIGNED, (_, name: string, value: string) => {
      learn(value.replaceAll(/^["']|["']$/g, ''))
      return `${name}${MASKED}`
    })
    .replace(QUOTED, (_, quote: string, name: string, colon: string, open: string, value: string): string => {
      learn(value)
      return `${quote}${name}${quote}${colon}${open}${MASKED}${open}`
    })
  return LOOKS.reduce((rest, look) => rest.replaceAll(look, MASKED), told)
}
