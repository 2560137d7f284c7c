/** What is in force, in words. */
import type { HostFinding, KnownAgent, ListedChannel, PolicyTrial } from '../../model/api/settings.ts'
import type { StatusSign } from '../../model/status-sign.ts'

/** What an agent said of itself, each for a glance. */
export function abilitiesOf({ probe, driver, model, modelBy }: KnownAgent): readonly string[] {
  const known = probe === null || 'problem' in probe ? null : probe
  const works = model ?? known?.model ?? null
  return [
    ...(works === null ? [] : [`works with ${works}`]),
    ...(modelBy === null ? [] : [modelWayText(modelBy)]),
    ...(known === null || driver !== 'acp'
      ? []
      : [
          known.resumes === null ? 'begins every session anew' : 'goes on with earlier sessions',
          known.mcpHttp ? 'takes our tools over HTTP' : 'takes our tools through a bridge',
          ...(known.images ? ['sees images'] : []),
        ]),
  ]
}

const modelWayText = (by: string): string =>
  by === 'protocol' ? 'takes a model from the runbook' : `takes a model from the runbook (${by})`

/** What its sandbox lets through for it and for no other. */
export function sandboxText({ keeps, passes }: KnownAgent): string {
  const parts = [
    ...(keeps.length === 0 ? [] : [`of your home: ${keeps.join('; ')}`]),
    ...(passes.length === 0 ? [] : [`of your environment: ${passes.join(', ')}`]),
  ]
  return parts.length === 0 ? '' : `In its sandbox it also has ${parts.join('. And ')}.`
}

export function agentSign({ path, standsFor, probe }: KnownAgent): StatusSign {
  if (path === null) return 'idle'
  if (standsFor !== null) return 'asleep'
  return probe !== null && 'problem' in probe ? 'fault' : 'done'
}

export const agentWord = (agent: KnownAgent): string => {
  switch (agentSign(agent)) {
    case 'idle':
      return 'not installed'
    case 'asleep':
      return 'another name'
    case 'fault':
      return 'does not answer'
    default:
      return 'installed'
  }
}

const LONGEST_SILENCE = 240

/** Why nothing is known of it, though it was asked; null: something is, or it was not. */
export function silenceText({ probe }: KnownAgent): string | null {
  if (probe === null || !('problem' in probe)) return null
  const { problem } = probe
  return problem.length > LONGEST_SILENCE ? `${problem.slice(0, LONGEST_SILENCE)} …` : problem
}

/** Whether there is somebody to ask. */
export const canBeAsked = ({ path, driver, standsFor }: KnownAgent): boolean =>
  path !== null && driver === 'acp' && standsFor === null

export function channelText({ audience, leastUrgency, events, quiet, full }: ListedChannel): string {
  const told = events.length === 0 ? 'nothing' : events.join(', ')
  return [
    audience === null ? 'For everybody' : `For ${audience}`,
    `told when something is ${told}`,
    ...(leastUrgency === 'low' ? [] : [`from urgency ${leastUrgency} on`]),
    ...(quiet === null ? [] : [`quiet ${quiet}`]),
    ...(full ? ['with all texts'] : []),
  ].join(' · ')
}

/** The back-test in a sentence. */
export function trialText({ answered, disagreed }: PolicyTrial): string {
  if (answered === 0) return 'Of all that people answered here, it would have answered nothing.'
  const all = `Of all that people answered here, it would have answered ${answered}`
  if (disagreed === 0) return `${all}, ${answered === 1 ? 'and as they did' : 'every one as they did'}.`
  return `${all}, and ${disagreed === answered ? (answered === 1 ? 'wrongly' : 'all of them wrongly') : `${disagreed} of them wrongly`}:`
}

export function caseText({ picked, would, edited }: PolicyTrial['cases'][number]): string {
  if (edited) return `a person took ${picked} and changed what it means`
  return picked === ''
    ? `a person said something else, it would have picked ${would}`
    : `a person picked ${picked}, it would have picked ${would}`
}

const FINDING_SIGNS: Readonly<
  Record<HostFinding['state'], { readonly sign: StatusSign; readonly word: string }>
> = {
  bad: { sign: 'fault', word: 'wrong' },
  note: { sign: 'asleep', word: 'to be known' },
  good: { sign: 'done', word: 'in order' },
}

export const findingSign = ({ state }: HostFinding) => FINDING_SIGNS[state]

/** What is wrong first; else as they were found. */
export const byState = (findings: readonly HostFinding[]): readonly HostFinding[] =>
  (['bad', 'note', 'good'] as const).flatMap((state) => findings.filter((each) => each.state === state))

export function findingsText(findings: readonly HostFinding[]): string {
  const count = (state: HostFinding['state']): number =>
    findings.filter((each) => each.state === state).length
  const [bad, notes] = [count('bad'), count('note')]
  const wrong = bad === 0 ? 'Nothing is wrong' : bad === 1 ? 'One thing is wrong' : `${bad} things are wrong`
  return notes === 0 ? `${wrong}.` : `${wrong}; ${notes} to be known.`
}
