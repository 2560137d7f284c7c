/** What will not work with an agent, in plain words, from what it answered and from what is known of it. */
import type { NoSession, Probe } from '../../drivers/acp/probe.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'
import { modelWay } from '../../host/session/chosen-model.ts'

const OUR_PROTOCOL = 1

export function shortcomingsOf(program: AgentProgram, probe: Probe | null): readonly string[] {
  switch (program.driver) {
    case 'acp':
      return [
        ...(probe === null ? [] : told(program, probe)),
        ...(program.lacks ?? []),
        ...copiedText(program),
      ]
    case 'command':
      return [...COMMAND, ...(modelWay(program) === null ? [NO_MODEL] : []), ...copiedText(program)]
    case 'scripted':
      return []
  }
}

export const copiedText = ({ keeps: { copied } }: Pick<AgentProgram, 'keeps'>): readonly string[] =>
  copied.length === 0
    ? []
    : [
        `\`keeps\` is a plain list: ${copied.join(', ')} is copied once for a run and never written back, so a refreshed login is lost. Name its parts: \`keeps: { login: […], settings: […], sessions: […] }\`.`,
      ]

const COMMAND = [
  'A plain command has none of the tools: it answers, and asks, through the files that its brief names.',
  'It is started anew for every prompt: what a person answered comes with the whole brief.',
  'What it costs is not known: its runs are unpriced.',
]

const NO_MODEL =
  'It cannot be told which model to work with: put {model} into its command, and a runbook or the config says which.'

function told(program: AgentProgram, probe: Probe): string[] {
  const { protocol, noSession, mcpHttp, resumes, closes } = probe
  if (protocol !== OUR_PROTOCOL)
    return [
      `It speaks version ${protocol} of the protocol and Signalbox speaks ${OUR_PROTOCOL}: it cannot be used.`,
    ]
  const texts = [
    noSession === null ? null : sessionText(program, probe, noSession),
    mcpHttp ? null : 'No MCP over HTTP: the tools come through a small program of ours beside it.',
    resumes === 'resume'
      ? null
      : resumes === 'load'
        ? 'No session/resume: an earlier session is loaded, which tells all of it again and takes longer.'
        : 'It cannot go on with an earlier session: after a crash, or after an answer that found it gone, a fresh one gets the whole brief.',
    closes ? null : 'No session/close: its process is ended without a word.',
  ]
  return texts.filter((text) => text !== null)
}

function sessionText({ login }: AgentProgram, { logins }: Probe, { kind, text }: NoSession): string {
  const how = login ?? 'start it once by hand and log in'
  const offers = logins.length === 0 ? '' : ` It offers: ${logins.join(', ')}.`
  switch (kind) {
    case 'login':
      return `It needs a login: ${how}.${offers}`
    case 'refused':
      return `It begins no session: ${sentence(text)}${login === undefined ? '' : ` Where it was never set up: ${login}.`}`
    case 'late':
    case 'ended':
      return `It begins no session: ${sentence(text)}`
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
