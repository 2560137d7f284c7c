/** A trial as it is told: a line when something was shown, what was not, and what it took. */

import { elapsed } from '../../model/elapsed.ts'
import { usageText } from '../commands/ps.ts'
import { EXIT } from '../exit.ts'
import { type Terminal, visible } from '../terminal/terminal.ts'
import {
  BEHAVIOURS,
  type Behaviour,
  type ShownBehaviour,
  type TrialEnd,
  type Used,
  type Verdict,
} from './trial-verdict.ts'

export interface TrialText {
  tell(shown: ShownBehaviour): void
  note(text: string): void
  /** The rest, and the command's exit code. */
  conclude(ended: EndedTrial): number
}

export interface EndedTrial {
  readonly end: TrialEnd
  readonly verdict: Verdict
  /** How to log in, for whom that is missing. */
  readonly login: string | undefined
}

export function createTrialText(terminal: Terminal): TrialText {
  const { paint } = terminal
  const beganAt = performance.now()
  const line = (mark: string, text: string): void => {
    const time = paint('dim', elapsed(performance.now() - beganAt).padStart(8))
    terminal.write(`${time}  ${mark} ${text}`)
  }
  return {
    tell: ({ behaviour, isGood, text }) => {
      const mark = isGood ? paint('green', '✓') : paint('red', '✗')
      const about = text === '' ? '' : paint('dim', `  ${visible(text).slice(0, 200)}`)
      line(mark, `${BEHAVIOURS[behaviour]}${about}`)
    },
    note: (text) => line(paint('dim', '·'), paint('dim', visible(text).slice(0, 200))),
    conclude: ({ end, verdict, login }) => {
      if (end === 'interrupted') return EXIT.interrupted
      const shown = new Set(verdict.shown().map(({ behaviour }) => behaviour))
      const unseen = (Object.keys(BEHAVIOURS) as Behaviour[]).filter((behaviour) => !shown.has(behaviour))
      for (const behaviour of unseen)
        line(paint('red', '✗'), `${BEHAVIOURS[behaviour]}${paint('dim', '  was not seen')}`)
      const isGood = unseen.length === 0 && verdict.shown().every((each) => each.isGood)
      const why = whyOf(end, verdict.trouble())
      terminal.write('')
      if (why !== '') terminal.write(`${paint('yellow', '!')} ${visible(why).slice(0, 1000)}`)
      if (login !== undefined && /needs a login/.test(why)) terminal.write(`  To log in: ${login}.`)
      terminal.write(paint('dim', `It took ${usedText(verdict.used())}.`))
      terminal.write(isGood ? paint('green', GOOD) : paint('red', why === '' ? BAD : STOPPED))
      return isGood ? EXIT.ok : EXIT.failed
    },
  }
}

const GOOD = 'It does all that Signalbox needs of an agent.'
const STOPPED = 'Not all of it was seen.'
const BAD = 'Not all of it was seen. A model may do better another time; what was seen is above.'

function whyOf(end: TrialEnd, trouble: string | null): string {
  if (trouble !== null) return `It went no further: ${trouble}`
  if (end === 'late') return 'The time was over: --time gives it more.'
  return end === 'stuck' ? 'It went no further: the run waits for a person.' : ''
}

function usedText({ prompts, ...usage }: Used): string {
  const told =
    usage.tokens === 0 && usage.costUsd === 0 ? 'and it tells neither tokens nor price' : usageText(usage)
  return `${prompts} ${prompts === 1 ? 'prompt' : 'prompts'}, ${told}`
}
