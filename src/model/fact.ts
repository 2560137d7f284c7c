/**
 * What else happened in a run: where it works, what its agents did, what was kept. No rule depends on a fact; it is in
 * the journal so that the record is whole and a host that starts again knows where everything is.
 */
import type { Actor } from './answer.ts'
import type { Boundary } from './boundary.ts'
import type { ProjectCommands } from './project-command.ts'
import type { Proof } from './proof.ts'

/** Where a run works, fixed when it starts. */
export interface Placement {
  /** Top of the user's checkout. */
  readonly repo: string
  /** Where git keeps its data: shared by all worktrees of the repository. */
  readonly gitDir: string
  readonly base: string
  readonly baseCommit: string
  readonly branch: string
  readonly worktree: string
  /** For the run's own servers; left out where its runbook does not ask for one. */
  readonly port?: number
  /** The project's commands that its runbook looks up, as they were when it started; left out where it looks up none. */
  readonly commands?: ProjectCommands
  /** The files that the one for setup depends on, where it is among them. */
  readonly setupNeeds?: readonly string[]
}

export interface CapturedIssue {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly parent: string
  readonly labels: string
  readonly body: string
  readonly path: string
}

/** What keeps an agent from the rest of the machine. */
export const HOLDERS = ['bubblewrap', 'seatbelt', 'none'] as const
export type Holder = (typeof HOLDERS)[number]

/** What can be said of several: one that nothing held may have done anything. */
export const heldBy = (before: Holder | undefined, now: Holder | undefined): Holder | undefined =>
  before === 'none' ? before : (now ?? before)

export type Fact =
  | {
      readonly type: 'run.placed'
      readonly at: number
      readonly placement: Placement
      /** The file it was compiled from. The run keeps the program as it was. */
      readonly runbook: string
      readonly name: string
      readonly issue: CapturedIssue | null
      /** Makes the names of this run's answer files unguessable, and the same again after a crash. */
      readonly seed: string
      readonly by: Actor
    }
  | {
      readonly type: 'session.opened'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly agent: string
      /** The program that serves it, as it named itself. */
      readonly program: string
      readonly version: string
      readonly session: string | null
      readonly resumed: boolean
      /** Where the agent tells it. */
      readonly model?: string
      /** Left out by hosts that did not say yet. */
      readonly confined?: Holder
    }
  | {
      readonly type: 'turn.ended'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly reason: string
      readonly toolCalls: number
      /** The end of what it said. */
      readonly said: string
    }
  /** What an agent reported over MCP, in the store: looked at when its turn ends. */
  | {
      readonly type: 'answer.reported'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly digest: string
    }
  /** Its step's handoff, ahead of the answer. */
  | {
      readonly type: 'handoff.reported'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly digest: string
    }
  | {
      readonly type: 'answer.received'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly via: 'mcp' | 'file' | 'message'
      /** The bytes as they came, in the store. */
      readonly digest: string
    }
  | {
      readonly type: 'boundary.held'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly files: readonly string[]
      /** What was undone, as a patch in the store. */
      readonly patch: string
    }
  | {
      readonly type: 'work.committed'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly commit: string
      readonly diffstat: string
    }
  | {
      readonly type: 'artifact.kept'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly name: string
      readonly digest: string
      readonly bytes: number
    }
  /** The answer to an agent's decision, followed until the agent acted on it. */
  | {
      readonly type: 'decision.delivered'
      readonly at: number
      readonly question: string
      readonly session: string | null
      readonly via: 'prompt' | 'wait' | 'permission' | 'command'
    }
  | { readonly type: 'decision.acknowledged'; readonly at: number; readonly question: string }
  | {
      readonly type: 'decision.acted'
      readonly at: number
      readonly question: string
      /** What it did: the tool it called, or its answer. */
      readonly did: string
    }
  /** An attempt to give an answer to its agent that failed; `nextAt` is null after the last. */
  | {
      readonly type: 'decision.undelivered'
      readonly at: number
      readonly question: string
      readonly attempt: number
      readonly detail: string
      readonly nextAt: number | null
    }
  /** A person had the delivery begun again. */
  | { readonly type: 'decision.retried'; readonly at: number; readonly question: string; readonly by: Actor }
  /** How an agent came to ask: what it sent, who it is, and what it had been told. */
  | {
      readonly type: 'decision.proven'
      readonly at: number
      readonly question: string
      readonly proof: Proof
    }
  /** After it had asked, and should have stopped, its agent did something else in the same turn. */
  | {
      readonly type: 'decision.outrun'
      readonly at: number
      readonly question: string
      readonly did: string
      /** It was ended for that. */
      readonly stopped?: true
    }
  | {
      readonly type: 'decision.superseded'
      readonly at: number
      readonly question: string
      /** The one that stands in its place. */
      readonly by: string
    }
  | {
      readonly type: 'decision.snoozed'
      readonly at: number
      readonly question: string
      readonly by: Actor
      /** Null wakes it. */
      readonly until: number | null
    }
  | {
      readonly type: 'decision.assigned'
      readonly at: number
      readonly question: string
      readonly by: Actor
      /** A person or a group; null for whoever is there. */
      readonly to: string | null
    }
  /** A prompt as an agent got it, in the store. */
  | {
      readonly type: 'agent.prompted'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly member: number
      readonly digest: string
      /** What may be written in this visit, with its first prompt: the record it was looked up from changes. */
      readonly boundary?: Boundary
    }
  /** Something the host met and mended, or could not: said in the record, for whoever looks. */
  | { readonly type: 'host.noted'; readonly at: number; readonly text: string }
  /** Its files are ready for whoever took it over: nobody is at work there, and this is what they begin with. */
  | { readonly type: 'run.handed'; readonly at: number; readonly commit: string }
  /** Recorded before a branch of the user's is moved to the run's work. `run.landed` or `landing.dropped` follows. */
  | {
      readonly type: 'landing.begun'
      readonly at: number
      readonly by: Actor
      readonly into: string
      readonly before: string
      readonly commit: string
      readonly work: string
      readonly how: 'fast-forward' | 'merge' | 'squash' | 'cherry-pick' | 'nothing'
      readonly gates: number
      readonly issues?: number
      /** The checkout of the user's that goes along; null where the branch is not checked out. */
      readonly checkout: string | null
    }
  /** The branch was not moved. */
  | { readonly type: 'landing.dropped'; readonly at: number; readonly reason: string }
  /** A branch of the user's got the run's work, because a person said so. */
  | {
      readonly type: 'run.landed'
      readonly at: number
      readonly by: Actor
      /** The branch, where it stood, and where it stands. */
      readonly into: string
      readonly before: string
      readonly commit: string
      /** The run's last commit then. */
      readonly work: string
      readonly how: 'fast-forward' | 'merge' | 'squash' | 'cherry-pick' | 'nothing'
      /** How many gates passed on what was landed. */
      readonly gates: number
      /** How many of its changes of issues came along; left out where none did. */
      readonly issues?: number
    }
  /** A check changed issues: the commit is on the branch that keeps such changes, and not on the run's. */
  | {
      readonly type: 'issues.changed'
      readonly at: number
      readonly step: string
      readonly visit: number
      /** Their ids. */
      readonly issues: readonly string[]
      readonly commit: string
      /** What was said about them; left out where nothing was. */
      readonly comments?: readonly { readonly issue: string; readonly by: string; readonly text: string }[]
    }
  /** What the branch it came from got since is in the run's own. */
  | {
      readonly type: 'base.merged'
      readonly at: number
      /** The commit of that branch: what the run's changes are told against from now on. */
      readonly base: string
      /** The run's last commit, which has it. */
      readonly commit: string
      /** Who wanted it. */
      readonly by: Actor
      /** Files that both sides changed, with git's marks in them: whoever works there next resolves them. */
      readonly conflicts?: readonly string[]
    }
  /** A person wants what the base got since; somebody is at work, so it waits. */
  | { readonly type: 'update.asked'; readonly at: number; readonly by: Actor }
  /** It could not be done; why is noted beside it. */
  | { readonly type: 'update.dropped'; readonly at: number }
  | {
      readonly type: 'run.discarded'
      readonly at: number
      readonly by: Actor
      /** The commit that was not merged, and the ref that keeps it. */
      readonly kept?: { readonly commit: string; readonly ref: string }
    }
