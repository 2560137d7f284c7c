/** What an agent is tried on: a small repository, and a runbook of two short steps. */
/** The keys it should offer, and the file that it should write the picked one into. */
export const KEYS = ['yaml', 'json'] as const
export const NOTE = 'notes/format.txt'
export const RUNBOOK_FILE = '.signalbox/trial.yaml'
/** A turn each: the tools, the question, the answer. */
export const PROMPTS = 3
export const LIMITS = { costUsd: 1, tokens: 1_000_000 } as const

const HELLO = `This checks that you can reach the tools of Signalbox. Read nothing and change nothing: report the outcome \`ready\` with the tool report_outcome, and end your turn.`

const CHOOSE = `This repository must say in which format its settings are kept. There are two: YAML, which has comments and some surprises, and JSON, which has neither. Which of them it is, is the choice of the person who owns the repository and not yours. So raise a decision about it with the tool create_decision: two options with the keys \`${KEYS[0]}\` and \`${KEYS[1]}\`, one of them recommended. Then end your turn; the answer comes as your next message. When it has come, write the key that was picked, and nothing else, into the file ${NOTE}, and end your turn.`

/** Words that a scripted model needs, after those for any other. */
export interface Scripts {
  readonly hello: string
  readonly choose: string
}

export const NO_SCRIPTS: Scripts = { hello: '', choose: '' }

const runbook = ({ hello, choose }: Scripts): string => `runbook: 1
name: trial
limits: { cost: ${LIMITS.costUsd}, tokens: ${LIMITS.tokens} }
agents:
  subject: { use: subject, writes: ["notes/**"] }
on:
  invalid: abandoned
  failed: abandoned
  stalled: abandoned
  timed_out: abandoned
  out_of_bounds: abandoned
  over_budget: abandoned
steps:
  hello:
    agent: subject
    prompt: ${JSON.stringify(`${HELLO}${hello}`)}
    time: 10m
    options:
      ready: { say: The tools are there, to: choose, recommended: true }
      not_ready: { say: Something is missing, to: abandoned }
  choose:
    agent: subject
    prompt: ${JSON.stringify(`${CHOOSE}${choose}`)}
    time: 10m
    next: done
`

export const trialFiles = (scripts: Scripts): Readonly<Record<string, string>> => ({
  'README.md': '# Settings\n\nA repository to try an agent on.\n',
  [RUNBOOK_FILE]: runbook(scripts),
})
