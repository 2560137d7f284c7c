/**
 * Whether an agent was told what to ask: the texts of its decision that stood in its prompts already, whatever their
 * case and line breaks. Short ones are passed over: "Yes" and "Not now" stand anywhere.
 */

const SHORTEST = 12

export function dictatedTexts(payload: unknown, prompts: readonly string[]): string[] {
  const told = prompts.map(plain)
  const texts = textsOf(payload).filter((text) => {
    const wanted = plain(text)
    return Array.from(wanted).length >= SHORTEST && told.some((prompt) => prompt.includes(wanted))
  })
  return [...new Set(texts)]
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

function textsOf(payload: unknown): string[] {
  if (!isFields(payload)) return []
  const options = Array.isArray(payload['options']) ? payload['options'].filter(isFields) : []
  return [
    payload['headline'],
    payload['question'],
    ...options.flatMap(({ label, body }) => [label, body]),
    payload['context'],
  ].filter((text) => typeof text === 'string')
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
