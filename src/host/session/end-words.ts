/**
 * The words by which an agent says what the end of its turn means, where nothing but the work is asked: it has finished, or a
 * person must answer something. Brief, reminder and reader share them. Pure.
 */
import { firstCharacters } from '../../model/characters.ts'
import { CAPS } from '../../model/decision.ts'
import { fencedBlock, words } from '../../model/fence.ts'

const FINISHED = 'FINISHED'
const QUESTION = 'QUESTION'

/** Upper case and at the beginning of a line, so that neither prose nor an echo of the brief says it. */
const END_WORD = new RegExp(String.raw`^[ \t>*_#-]*(${FINISHED}|${QUESTION})\b`, 'm')

export function readEndWord(said: string): 'finished' | 'question' | null {
  const word = END_WORD.exec(said)?.[1]
  if (word === undefined) return null
  return word === FINISHED ? 'finished' : 'question'
}

/** In answer to `whetherFinished`, plain words will do: "Done.", "Yes, it is finished." */
export const saysFinished = (said: string): boolean =>
  /^[^\p{L}]*(?:(?!(?:not|never|nothing)\b)[\p{L}'’]{1,20}[ ,]{1,3}){0,4}(?:finished|done)\b/iu.test(
    said.slice(0, 200),
  )

/** Marks and brackets may close after it. */
export const endsWithQuestion = (said: string): boolean => /[?？؟][\s\p{P}\p{S}]*$/u.test(said.slice(-200))

export const howToEnd = (canAsk: boolean): string =>
  [
    'Nothing but the work is asked: end your turn when it is done.',
    `Begin your last message with ${FINISHED} and say in a sentence what you did, also where nothing had to be changed.`,
    ...(canAsk
      ? [
          `If you cannot go on without a person's answer, begin it with ${QUESTION} and write the whole question after that.`,
        ]
      : []),
  ].join(' ')

/** Told once. `said`: its last message, for a program that is started anew for each prompt. */
export const whetherFinished = (said: string | null): string =>
  [
    'Your last turn ended, and nothing shows that your work is finished. Is it finished, or is it a question for a person?',
    'Say which, as it stands under "How to answer". If neither is so, go on with the work.',
    ...(said === null || said === ''
      ? []
      : [`Your last turn ended with:\n${fencedBlock(words('you', 'message', said))}`]),
  ].join('\n')

/**
 * The decision for a person that a message comes to. Its whole text is shown. Only the agent knows what a yes has done,
 * so nobody but a person gives one.
 */
export function questionInWords(agent: string, messages: readonly string[]): object {
  const last = messages.at(-1) ?? ''
  const [first = '', ...others] = messages.filter((text) => text !== '').flatMap(pieces)
  const asked = sentenceOf(last)
  return {
    headline: firstCharacters(asked, CAPS.headline),
    question: firstCharacters(asked, CAPS.question),
    context: first,
    evidence: Object.fromEntries(others.map((text, index) => [`part ${index + 2}`, text])),
    options: [
      {
        key: 'go-on',
        label: 'Yes, go on',
        body: `Yes: ${agent} goes on as it proposes.`,
        reversible: false,
      },
      {
        key: 'leave-it',
        label: 'No, leave it',
        body: `No: ${agent} leaves out what it asked about and finishes the rest.`,
      },
    ],
    recommended: null,
  }
}

/** The last line that asks; else the last one. */
function sentenceOf(message: string): string {
  const lines = message
    .split('\n')
    .map((line) =>
      line
        .replace(END_WORD, '')
        .replace(/^[\s:>*_#-]+/, '')
        .trim(),
    )
    .filter((line) => line !== '')
  return lines.findLast((line) => endsWithQuestion(line)) ?? lines.at(-1) ?? 'What shall it do?'
}

/** Each within what a context may hold, its fence included. */
function pieces(message: string): string[] {
  const characters = Array.from(message)
  const size = CAPS.context - 200
  const parts = Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
  return parts.map((part) => fencedBlock(words('the agent', 'message', part)))
}
