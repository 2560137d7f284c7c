/**
 * How a run went, for the issue it worked on: made of the record alone. What agents said is quoted, so that none of it can pass for
 * something else.
 */
import { firstCharacters } from '../../model/characters.ts'
import { lastLeft, type OwnRecord } from './own-record.ts'
import { adviceIn, commitsIn, courseOf, filedIn, openFindings, spendingsIn, whatLedTo } from './story.ts'
import { untestedIn } from './untested.ts'

/** `ended`: its work stands. `given back`: it is to be thrown away. */
export type RunClosing = 'ended' | 'given back'

export function summaryText(record: OwnRecord, closing: RunClosing): string {
  const { run, placement, events } = record
  const task = lastLeft(events, 'split')?.answer?.handoff?.values['title']
  return [
    closing === 'ended'
      ? `Run ${run} did this on the branch ${placement.branch}. \`signalbox land ${run}\` brings it in.`
      : `Run ${run} gave this back.`,
    ...(typeof task === 'string' ? [`Its task: ${oneLine(task)}`] : []),
    ...(closing === 'given back' ? [givenBackText(record)] : []),
    section(
      'Commits',
      commitsIn(events).map(({ step, commit }) => `- ${commit.slice(0, 10)} ${step}`),
    ),
    section('Made without tests', untestedLines(record)),
    section('Still open', openFindings(events).map(findingLine)),
    section(
      'Filed',
      filedIn(events).map((line) => `- ${oneLine(line)}`),
    ),
    section(
      'Advised, and not filed',
      adviceIn(events).map(
        ({ step, by, verdict, words }) =>
          `- ${by} at ${step}: ${verdict}${words === '' ? '' : `\n${quoted(words)}`}`,
      ),
    ),
    section(
      'The way it went',
      [courseOf(events)].filter((text) => text !== ''),
    ),
    ...(closing === 'given back' ? [cleanUpText(record)] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function givenBackText({ events, budgets }: OwnRecord): string {
  const why = whatLedTo(events, 'hand_back')
  const spent = spendingsIn(events)
  return [
    why === null
      ? ''
      : `It ended at ${why.step}: ${why.outcome}.${why.words === '' ? '' : `\n${quoted(why.words)}`}`,
    ...spent.map(
      ({ budget, step, outcome, words }) =>
        `The budget ${budget} (${budgets[budget] ?? 0} left) was spent when ${step} came to ${outcome}.${words === '' ? '' : `\n${quoted(words)}`}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const untestedLines = ({ events }: OwnRecord): string[] => {
  const untested = untestedIn(events)
  if (untested === null) return []
  const { reason, verdict, signOff } = untested
  return [`Why:\n${quoted(reason)}`, `Signed off (${verdict}):\n${quoted(signOff)}`]
}

/** The worktree and the branch are the run's own: nothing of the user's is touched. */
const cleanUpText = ({ run, placement }: OwnRecord): string =>
  [
    'To begin again:',
    `- \`signalbox show ${run}\` tells all of it, \`signalbox diff ${run}\` what it had changed on ${placement.branch}.`,
    `- \`signalbox discard ${run}\` throws its worktree and its branch away. What it wrote into this issue stays.`,
    '- `signalbox run issue-to-commit --issue ID` begins anew; the next plan is told what happened here.',
  ].join('\n')

export const findingLine = ({
  step,
  id,
  severity,
  title,
  file,
  detail,
}: ReturnType<typeof openFindings>[number]): string =>
  `- ${id} of ${step} [${severity}] ${oneLine(title)}${file === '' ? '' : ` (${oneLine(file)})`}${detail === '' ? '' : `\n${quoted(detail)}`}`

const section = (head: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `**${head}**\n\n${lines.join('\n')}`

const LONGEST = 1500

const quoted = (text: string): string =>
  firstCharacters(text.trim(), LONGEST)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')

const oneLine = (text: string): string => firstCharacters(text.replaceAll(/\s+/g, ' ').trim(), 200)
