/** `decision show --proof`: how an agent came to ask, from what was kept when it did. */
import type { Asker, DecisionRecord } from '../../model/decision-record.ts'
import type { Proof } from '../../model/proof.ts'
import { visible } from '../terminal/terminal.ts'
import type { Look } from './card.ts'
import { wrapped } from './columns.ts'

export function proofText(
  { asker, proof }: Pick<DecisionRecord, 'asker' | 'proof'>,
  { call, look }: { readonly call: Uint8Array | null; readonly look: Look },
): string {
  const { paint, columns } = look
  if (proof === null)
    return 'No agent raised this: it is a question of the flow itself, and its runbook is the proof.'
  const facts: readonly (readonly [string, string])[] = [
    ['door', DOORS[proof.door]],
    ['agent', askerText(asker)],
    ['model', asker === null || asker.model === '' ? 'not told' : asker.model],
    [
      'call',
      call === null
        ? `${proof.call} (not in the store any more)`
        : `${proof.call} (${call.length} bytes, below)`,
    ],
    ...(proof.prompts.length === 0
      ? [['prompts', 'none: it was not prompted by Signalbox'] as const]
      : proof.prompts.map((digest, index) => [index === 0 ? 'prompts' : '', digest] as const)),
    ['dictated', dictatedText(proof)],
  ]
  return [
    ...facts.flatMap(([name, text]) =>
      text
        .split('\n')
        .flatMap((line) => wrapped(visible(line), columns - 10))
        .map((line, index) => `${paint('dim', (index === 0 ? name : '').padEnd(8))}  ${line}`),
    ),
    ...(call === null ? [] : ['', paint('cyan', 'the call as it was received'), ...callLines(call, look)]),
  ].join('\n')
}

const DOORS: Readonly<Record<Proof['door'], string>> = {
  mcp: 'MCP tool',
  http: 'HTTP',
  cli: 'command line',
  file: 'a file in the worktree',
  message: 'the last message of a turn',
  permission: 'ACP permission request',
  elicitation: 'ACP elicitation',
}

function askerText(asker: Asker | null): string {
  if (asker === null) return 'not known'
  const program = [asker.program, asker.version].filter((text) => text !== '').join(' ')
  return program === '' ? asker.agent : `${asker.agent}, served by ${program}`
}

function dictatedText({ prompts, dictated }: Proof): string {
  if (prompts.length === 0) return 'cannot be told: what it had been told is not known here'
  if (dictated.length === 0) return 'none of its words stood in the prompt'
  return ['these stood in the prompt already:', ...dictated.map((text) => `"${text}"`)].join('\n')
}

function callLines(bytes: Uint8Array, { paint, columns }: Look): string[] {
  return readable(new TextDecoder().decode(bytes))
    .split('\n')
    .flatMap((line) => wrapped(visible(line), columns - 2))
    .map((line) => `${paint('dim', '│')} ${line}`)
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
