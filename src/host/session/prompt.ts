/** What an agent is told, and what the journal is told of it. */
import { briefOf, untoldTo } from '../../engine/index.ts'
import type { RunCommand } from '../../model/command.ts'
import { authorText, ISSUE_AUTHOR, type Words, words } from '../../model/fence.ts'
import { boundaryNow } from '../duty/boundary.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { worldOf } from '../runs/world.ts'
import { type AnswerFiles, filesFor } from './answer-files.ts'
import { type BriefSetting, briefText, followUpText } from './brief-text.ts'
import type { Memory } from './conversation.ts'
import type { Edges } from './edges.ts'
import { momentsOf, primed } from './prime.ts'
import type { Prompting } from './prompting.ts'
import type { Session } from './session.ts'

export interface Prompt {
  readonly session: Session
  readonly work: Prompting
  readonly loaded: LoadedRun
  readonly memory: Memory
  readonly files: AnswerFiles
}

export async function promptText(edges: Edges, prompt: Prompt): Promise<string> {
  const { session, work, loaded, files } = prompt
  const memory = session.forgets() ? 'fresh' : prompt.memory
  const { placement, issue } = loaded.placed
  const { duty } = work
  const { remarks, tools, compacted, interrupted } = session.now()
  const member = loaded.state.current!.members[duty.member]!
  const { use = 'default', model = '' } = loaded.program.agents[duty.agent] ?? {}
  const agent = { id: session.token.slice(0, 8), name: duty.agent, use, model, session: session.id() ?? '' }
  const told = briefOf(loaded.program, loaded.state, duty.member, worldOf(loaded, agent))
  const message = [told.message, ...remarks].filter((part) => part !== '').join('\n\n')
  const brief = { ...told, message }
  const { answer, decision } = filesFor(files, session.confined())
  const sentBack = member.returns + member.holds > 0 && member.attempt > 1
  const sources = momentsOf({ session: memory, compacted, sentBack })
  const setting: BriefSetting = {
    run: loaded.run,
    step: duty.step,
    visit: duty.visit,
    worktree: placement.worktree,
    branch: placement.branch,
    artifacts: worldOf(loaded)({ kind: 'run', field: 'dir' })!,
    answerFile: answer,
    decisionFile: decision,
    mcp: tools !== 'unseen',
    primed: await primed(edges, work, { loaded, agent, sources }),
    issue: issueWords(issue),
    decided: decidedAt(loaded, duty.step),
    pause: interrupted ? 'interrupted' : member.limited && member.turn > 1 ? 'limited' : 'none',
  }
  // Some agents lose the turn that was interrupted, and with it the brief.
  const knows = memory !== 'fresh' && !interrupted
  return knows ? followUpText(brief, setting) : briefText(brief, setting)
}

const issueWords = (issue: LoadedRun['placed']['issue']): Words | null =>
  issue === null
    ? null
    : words(ISSUE_AUTHOR, 'issue', `${issue.id}: ${issue.title}\n\n${issue.body}`.trimEnd())

/** What people have already decided for this step's agents, so that nobody is asked twice. */
const decidedAt = ({ book }: LoadedRun, step: string): Words[] =>
  Object.values(book.records).flatMap(({ cause, by, shown, pick, edited, note, asker, ...record }) => {
    if (cause !== 'agent' || record.step !== step || by === null) return []
    const option = shown.options.find(({ key }) => key === pick)
    const asked = `${shown.headline}: ${option?.label ?? '(none of the options)'}`
    const meaning = option?.body ?? ''
    const agent = authorText({ kind: 'agent', name: asker?.agent ?? '' })
    const said = [edited === null ? '' : `It means: ${edited}`, note].filter((text) => text !== '')
    return [
      words(
        agent,
        `question that ${authorText(by)} has answered, and the answer as the agent put it,`,
        meaning === '' || edited !== null ? asked : `${asked}. ${meaning}`,
      ),
      ...(said.length === 0 ? [] : [words(authorText(by), 'note on that', said.join('\n'))]),
    ]
  })

export interface Beginning {
  readonly session: Session
  readonly loaded: LoadedRun
  /** Of the prompt, in the store. */
  readonly digest: string
  readonly at: number
}

/** Told before it happens: what is in the journal as delivered may come twice, and what is not cannot have come. */
export function beginning({ session, loaded, digest, at }: Beginning): RunCommand[] {
  const { step, visit, member } = session.seat
  const boundary = loaded.boundary === undefined ? { boundary: boundaryNow(loaded) } : {}
  const words = untoldTo(loaded.state, member)
  return [
    { type: 'attempt.begin', at, ...session.address(), session: session.id() },
    ...(words.length === 0 ? [] : [{ type: 'attempt.tell', at, ...session.address(), words } as const]),
    {
      type: 'run.record',
      at,
      facts: [{ type: 'agent.prompted', at, step, visit, member, digest, ...boundary }],
    },
  ]
}
