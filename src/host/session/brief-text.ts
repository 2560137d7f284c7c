/** The brief as an agent reads it. Pure: what is in it was gathered by others. */
import { type Brief, boundaryText } from '../../engine/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { FENCE_RULE, fencedBlock, isBlank, type Words } from '../../model/fence.ts'
import { RETRY } from '../../model/route.ts'
import { howToEnd } from './end-words.ts'

export interface BriefSetting {
  readonly run: string
  readonly step: string
  readonly visit: number
  readonly worktree: string
  readonly branch: string
  readonly artifacts: string
  readonly answerFile: string
  /** Where a decision is put by whoever has no tools. */
  readonly decisionFile: string
  /** Whether the MCP tools were offered to this session. */
  readonly mcp: boolean
  /** What the primes printed, in order. */
  readonly primed: readonly Words[]
  readonly issue: Words | null
  /** What people decided for this step before: what was asked and picked, and their notes. */
  readonly decided: readonly Words[]
  /** Why it was not at work meanwhile, where it could not know. */
  readonly pause: 'none' | 'interrupted' | 'limited'
}

/** All there is to know, for a session that knows nothing yet. */
export function briefText(brief: Brief, setting: BriefSetting): string {
  return sections([
    ['', brief.role],
    ['', FENCE_RULE],
    ['Your task', brief.task],
    ['Issue', blocks(setting.issue)],
    ['What came before', priorText(brief)],
    ['Handed over to you', handoffText(brief)],
    ['Decided by a person before', blocks(...setting.decided)],
    ['Earlier findings', findingsText(brief)],
    ['Where you are', placeText(setting)],
    ['Your boundary', heldText(brief, setting)],
    ['Context', primedText(setting)],
    ['Why you are asked again', brief.message],
    ['Said by a person', wordsText(brief.words)],
    ['Since then', PAUSES[setting.pause]],
    ['When to ask a person', brief.questions > 0 ? decidingText(setting) : ''],
    ['What you are asked', askedText(brief)],
    ['How to answer', answerText(brief, setting)],
  ])
}

/** For a session that has the brief already and is sent back, answered, or was interrupted. */
export function followUpText(brief: Brief, setting: BriefSetting): string {
  return sections([
    ['', FENCE_RULE],
    ['', brief.message],
    ['Said by a person', wordsText(brief.words.filter(({ isNew }) => isNew))],
    ['Since then', PAUSES[setting.pause]],
    ['Context', primedText(setting)],
    ['How to answer', answerText(brief, setting)],
  ])
}

const wordsText = (given: Brief['words']): string =>
  given.length === 0 ? '' : `Follow what is said here.\n\n${blocks(...given.map(({ said }) => said))}`

function decidingText({ mcp, decisionFile }: BriefSetting): string {
  return [
    'When the work comes to a concrete choice between alternatives that a person owns, do not choose in silence and do not ask in prose:',
    mcp
      ? 'call the tool `create_decision` of the MCP server `signalbox` with the alternatives you see and the one you would take, then end your turn.'
      : `write it as JSON to \`${decisionFile}\`, with the alternatives you see and the one you would take, then end your turn without an answer.`,
    'The answer comes as your next message. What the task itself settles, or what you can find out, you decide yourself.',
    ...(mcp ? [] : ['', 'Such a file looks like this:', '```json', JSON.stringify(EXAMPLE_DECISION), '```']),
  ].join('\n')
}

const PAUSES: Readonly<Record<BriefSetting['pause'], string>> = {
  none: '',
  interrupted:
    'Signalbox was stopped while you were at work and has started again. Look at what is already done in the worktree, do what is left, and answer. Do not do again what is done.',
  limited: 'The usage limit has been reset. Go on where you were, and answer.',
}

function sections(parts: readonly (readonly [head: string, text: string])[]): string {
  const hasFence = parts.some(([, text]) => NAMED_FENCE.test(text))
  return parts
    .filter(([, text]) => text.trim() !== '' && (text !== FENCE_RULE || hasFence))
    .map(([head, text]) => (head === '' ? text.trim() : `## ${head}\n\n${text.trim()}`))
    .join('\n\n')
    .concat('\n')
}

/** Its first line names an author; an example of ours has none. */
const NAMED_FENCE = /^`{3,}.* by .*$/m

const blocks = (...given: readonly (Words | null)[]): string =>
  given.flatMap((each) => (each === null || isBlank(each) ? [] : [fencedBlock(each)])).join('\n\n')

/** Commands show what they were asked for, issues and comments among it. */
const primedText = ({ primed }: BriefSetting): string =>
  primed.length === 0 ? '' : `Printed by commands of this flow.\n\n${blocks(...primed)}`

function priorText({ prior, again }: Brief): string {
  const lines: string[] = []
  if (prior !== null)
    lines.push(
      `"${prior.step}" ended as ${prior.outcome}${prior.said === '' ? '' : ` (${prior.said})`}.`,
      blocks(prior.left),
    )
  if (again !== null)
    lines.push(
      again.outcome === RETRY
        ? 'This step was tried before, and a person has it tried again. What is done already is in the worktree.'
        : `This step was tried before and ended as ${again.outcome}.`,
      blocks(again.detail),
    )
  return lines.filter((line) => line !== '').join('\n\n')
}

const handoffText = ({ handoffs }: Brief): string =>
  handoffs
    .map(({ step, visit, name, version, quality, text, json, hash }) =>
      [
        `### ${name} (version ${version}) from "${step}", visit ${visit}: ${quality}`,
        blocks(text, json),
        `Content hash: ${hash.slice(0, 16)}`,
      ].join('\n\n'),
    )
    .join('\n\n')

const findingsText = ({ findings }: Brief): string =>
  findings === null
    ? ''
    : `Open from earlier rounds. Say of each, by its id, whether it is fixed.\n\n${blocks(findings)}`

const placeText = ({ run, step, visit, worktree, branch, artifacts }: BriefSetting): string =>
  [
    `- Run ${run}, step "${step}", visit ${visit}.`,
    `- Worktree: ${worktree} (branch ${branch}). Work only there; paths are absolute.`,
    `- Notes and plans that should be kept, but not committed: ${artifacts}`,
    '- What you leave uncommitted is committed for you. Do not switch branches, rewrite history or push.',
  ].join('\n')

function heldText({ writes, unusable }: Brief, { artifacts }: BriefSetting): string {
  if (writes === null) return ''
  const granted = boundaryText(writes, unusable)
  const undone =
    writes.length === 0 ? ' Whatever you change is undone' : '. Whatever else you change is undone'
  return `${granted}${undone}, but for what you write into ${artifacts}.`
}

/** Notes are always welcome; where there is nothing else, nothing is asked. */
const asksOnlyWork = ({ demands }: Brief): boolean => demands.length <= 1

function askedText(brief: Brief): string {
  const { demands, options } = brief
  if (asksOnlyWork(brief)) return ''
  return [
    ...demands.map((demand) => `- ${demand}`),
    ...(options.length === 0 ? [] : ['', 'Where each answer leads:']),
    ...options.map(
      ({ value, say, leadsTo, recommended }) =>
        `- \`${value}\`${recommended ? ' (recommended)' : ''}${say === '' ? '' : `: ${say}`}${leadsTo === '' ? '' : ` → ${leadsTo}`}`,
    ),
  ].join('\n')
}

function answerText(brief: Brief, { answerFile, mcp }: BriefSetting): string {
  const { example } = brief
  if (asksOnlyWork(brief)) return howToEnd(brief.questions > 0)
  const file = `write the JSON to \`${answerFile}\``
  return [
    mcp
      ? `When you are done, call the tool \`report_outcome\` of the MCP server \`signalbox\` with your answer. If you cannot, ${file}. Then end your turn.`
      : `When you are done, ${file}, then end your turn.`,
    'If neither works, end your last message with the JSON in a ```json block.',
    '',
    'For example:',
    '```json',
    JSON.stringify(example, null, 2),
    '```',
  ].join('\n')
}
