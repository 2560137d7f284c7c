/** What `decision create` was given, as the payload that every door takes. Only what was said is in it: the host judges. */
import { splitWords } from '../config/command-words.ts'

export interface PayloadFlags {
  readonly headline?: string
  readonly question?: string
  readonly option?: readonly string[]
  readonly irreversible?: readonly string[]
  readonly confidence?: readonly string[]
  readonly recommended?: string
  readonly kind?: string
  readonly context?: string
  readonly evidence?: readonly string[]
  readonly urgency?: string
  readonly deadline?: string
  readonly supersedes?: string
}

export type Payload = Readonly<Record<string, unknown>>
type Problem = { readonly problem: string }

/** Flags over what a file said. */
export function payloadOf(flags: PayloadFlags, file: Payload = {}): { readonly payload: Payload } | Problem {
  const options = optionsOf(flags)
  if ('problem' in options) return options
  const evidence = pairsOf(flags.evidence ?? [], '--evidence takes NAME=TEXT')
  if ('problem' in evidence) return evidence
  const { headline, question, recommended, kind, context, urgency, deadline, supersedes } = flags
  const said = { headline, question, recommended, kind, context, urgency, deadline, supersedes }
  return {
    payload: {
      ...file,
      ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
      ...(options.list.length === 0 ? {} : { options: options.list }),
      ...(evidence.pairs.length === 0
        ? {}
        : { evidence: { ...fieldsOf(file['evidence']), ...Object.fromEntries(evidence.pairs) } }),
    },
  }
}

const fieldsOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function optionsOf(flags: PayloadFlags): { readonly list: readonly Payload[] } | Problem {
  const options = pairsOf(flags.option ?? [], '--option takes KEY=LABEL or KEY=LABEL:BODY')
  if ('problem' in options) return options
  const sure = pairsOf(flags.confidence ?? [], CONFIDENCE_RULE)
  if ('problem' in sure) return sure
  const odd = sure.pairs.find(([, text]) => !isShare(text))
  if (odd !== undefined) return { problem: `${CONFIDENCE_RULE}, not "${odd.join('=')}".` }
  const keys = options.pairs.map(([key]) => key)
  const named = [...(flags.irreversible ?? []), ...sure.pairs.map(([key]) => key)]
  const unknown = named.find((key) => !keys.includes(key))
  if (unknown !== undefined)
    return { problem: `There is no --option "${unknown}". The keys given are: ${keys.join(', ') || 'none'}.` }
  const confidence = new Map(sure.pairs)
  return {
    list: options.pairs.map(([key, text]) => ({
      key,
      ...labelAndBody(text),
      ...(flags.irreversible?.includes(key) === true ? { reversible: false } : {}),
      ...(confidence.has(key) ? { confidence: Number(confidence.get(key)) } : {}),
    })),
  }
}

const CONFIDENCE_RULE = '--confidence takes KEY=NUMBER from 0 to 1'

const isShare = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1

/** A label is a few words: the first colon ends it. */
function labelAndBody(text: string): Payload {
  const cut = text.indexOf(':')
  return cut < 0 ? { label: text } : { label: text.slice(0, cut).trim(), body: text.slice(cut + 1).trim() }
}

/** `NAME=TEXT`, each. */
export function pairsOf(
  texts: readonly string[],
  rule: string,
): { readonly pairs: readonly (readonly [string, string])[] } | Problem {
  const pairs: (readonly [string, string])[] = []
  for (const text of texts) {
    const cut = text.indexOf('=')
    if (cut < 1) return { problem: `${rule}, not "${text}".` }
    pairs.push([text.slice(0, cut), text.slice(cut + 1)])
  }
  return { pairs }
}

/** The JSON of `--file`. */
export function payloadIn(text: string): { readonly payload: Payload } | Problem {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `--file is not JSON (${(error as Error).message.split('\n')[0]}).` }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { payload: value as Payload }
    : { problem: '--file should hold one object with `headline`, `question` and `options`.' }
}

/** The command of `--resume`, as words; there is no shell. */
export function resumeOf(line: string): { readonly argv: readonly string[] } | Problem {
  const split = splitWords(line)
  if ('problem' in split) return { problem: `--resume cannot be run. ${split.problem}` }
  const [doubt] = split.doubts
  if (doubt !== undefined)
    return { problem: `--resume is run without a shell, and ${doubt}. Put it in a script, or use sh -c '…'.` }
  return { argv: split.words }
}
