/**
 * A decision put to whoever sits at the terminal, line by line: by `decision review`, and by a run that is watched. The
 * answer is bound to what was shown, so what has changed meanwhile is refused and asked again.
 */
import { createInterface } from 'node:readline/promises'
import type { PersonAnswer } from '../../host/inbox/decisions.ts'
import type { DecisionRecord, Shown, ShownOption } from '../../model/decision-record.ts'
import { fieldsAsked, fieldText, fieldValues } from '../../model/field-values.ts'
import { type AtTerminal, harmless, type Terminal, visible } from '../terminal/terminal.ts'
import { notOffered } from './answer.ts'

export interface LinePrompt extends AtTerminal {
  readonly terminal: Terminal
  /** The decision needs no answer from here any more. */
  readonly signal: AbortSignal
  /** What Enter alone picks; null where it picks nothing. */
  readonly usual: string | null
}

/** Null when the person went away, or it needs no answer any more. */
export async function askInLines(record: DecisionRecord, prompt: LinePrompt): Promise<PersonAnswer | null> {
  const { terminal, input, output, signal, usual } = prompt
  const { shown, digest } = record
  const reader = createInterface({ input, output })
  // Ctrl-C and Ctrl-D close the reader, and a question to a closed one is never answered.
  const gone = new AbortController()
  reader.once('close', () => gone.abort())
  const over = { signal: AbortSignal.any([signal, gone.signal]) }
  const say = async (text: string): Promise<string> => (await reader.question(harmless(text), over)).trim()
  const unedited = { edited: null, digest, together: false } as const
  try {
    for (;;) {
      const said = await say(terminal.paint('magenta', choicePrompt(record, usual)))
      const option = optionFor(shown, said === '' ? usual : said)
      if (option === undefined) {
        if (said === '') continue
        if (!takesWords(record)) terminal.write(notOffered(visible(said), shown))
        else if (await isSure(say, `Answer only with these words: "${visible(said)}"?`))
          return { pick: '', note: said, fields: {}, ...unedited }
        continue
      }
      const texts: Record<string, string> = {}
      for (const field of fieldsAsked(shown, option.key)) {
        const isOptional = field.requiredFor.length === 0
        const text = await say(`${fieldText(field)}${isOptional ? ' (Enter for none)' : ''}: `)
        if (text !== '' || !isOptional) texts[field.name] = text
      }
      const note = await say(terminal.paint('dim', 'Note (Enter for none): '))
      if (!option.reversible && !(await isSure(say, `"${option.key}" cannot be undone. Sure?`))) continue
      return { pick: option.key, note, fields: fieldValues(shown.fields, texts), ...unedited }
    }
  } catch {
    return null
  } finally {
    reader.close()
  }
}

const choicePrompt = (record: DecisionRecord, usual: string | null): string =>
  `\nYour choice (${[
    `a number${takesWords(record) ? ', a key, or words' : ' or a key'}`,
    ...(usual === null ? [] : [`Enter for ${usual}`]),
  ].join('; ')}): `

/** Words answer whoever asked; a step of a flow must know where to go from here. */
const takesWords = ({ cause }: DecisionRecord): boolean => cause === 'agent' || cause === 'outside'

const optionFor = ({ options }: Shown, said: string | null): ShownOption | undefined =>
  options[Number(said) - 1] ?? options.find(({ key }) => key === said || key === `@${said}`)

const isSure = async (say: (text: string) => Promise<string>, text: string): Promise<boolean> =>
  /^y(?:es)?$/i.test(await say(`${text} (y/n) `))
