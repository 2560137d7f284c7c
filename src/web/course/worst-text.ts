/** A worst case in words with its numbers. */
import { isCounted, type Worst } from '../../model/certificate.ts'

export const worstText = ({ visits, dispatches, questions }: Worst, exact: boolean): string =>
  `${exact ? '' : 'at most '}${counted(visits, 'visit')}, ${counted(dispatches, 'dispatch')}, ${counted(questions, 'question')} to people`

const MANY = { dispatch: 'dispatches', question: 'questions', visit: 'visits' } as const

function counted(number: number, word: keyof typeof MANY): string {
  const text = isCounted(number) ? number.toLocaleString('en') : 'very many'
  return `${text} ${number === 1 ? word : MANY[word]}`
}
