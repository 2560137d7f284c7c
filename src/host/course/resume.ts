/**
 * What a person did by hand, taken in: committed as it lies there, beyond any boundary, which is told. Then it goes back
 * to the agent; or it is the step's work, with what the step asks and once its gate has passed on that very commit.
 */
import { answerInstead, givenFor } from '../../engine/index.ts'
import { type Actor, actorText, type RawAnswer } from '../../model/answer.ts'
import type { Resumed, ResumeOrder } from '../../model/api/course.ts'
import type { GateResult } from '../../model/command.ts'
import type { Fact } from '../../model/fact.ts'
import { type AgentStep, stepOf } from '../../model/program.ts'
import type { Rejection } from '../../model/refusal.ts'
import { boundaryNow } from '../duty/boundary.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { noRun } from '../runs/no-run.ts'
import { judgeWrites } from '../workspace/boundary.ts'
import { changesBetween, statBetween } from '../workspace/changes.ts'
import { shown, someNames } from '../workspace/file-name.ts'
import { type Ground, groundAt } from '../workspace/ground.ts'
import type { Problem } from '../workspace/problem.ts'
import { withBrought } from './bring-asked.ts'
import { gatesOf, putGate } from './gates.ts'

export interface Resuming {
  readonly run: string
  readonly by: Actor
  readonly order: ResumeOrder
}

export async function resumeRun(
  needs: DutyNeeds,
  { run, by, order }: Resuming,
): Promise<Resumed | Rejection> {
  const { runs, clock, workplaces } = needs
  const before = await runs.load(run)
  if (before === null) return noRun(run)
  if (before.state.taken === null)
    return { code: 'not-taken', problem: `Nobody has taken ${run} over. To do that: signalbox take ${run}` }
  const loaded = await takenIn(needs, before, by)
  if ('problem' in loaded) return { code: 'not-resumed', problem: loaded.problem }
  const given = givenBy(loaded, order)
  const isAgents = 'members' in stepOf(loaded.program, loaded.state.current!.step)
  const judged =
    order.how === 'back' || !isAgents ? [] : await gatesFor(needs, loaded, { given, note: order.note })
  if ('problem' in judged) return judged
  const ground = groundAt(needs.processEnvironment.home, loaded.placed.placement)
  const changes = await changedByHand(ground, loaded)
  // Of theirs nothing is left in it for the agent, as of the agent's nothing was for them.
  await workplaces.renewRepository(loaded)
  const at = clock.now()
  const { how, note } = order
  const executed = await runs.execute(run, [
    { type: 'run.resume', at, by, how, given, note, changes, gates: judged },
  ])
  if ('lost' in executed) throw new Error('a command without a claim lost one')
  if ('refusal' in executed) return { code: executed.refusal.code, problem: executed.refusal.message }
  const { current, end } = executed.loaded.state
  return {
    state: 'resumed',
    commit: loaded.commit,
    changes,
    gates: judged.length,
    step: current?.step ?? null,
    end,
  }
}

/** Again is harmless: what is committed already is not committed twice. */
async function takenIn(needs: DutyNeeds, found: LoadedRun, by: Actor): Promise<LoadedRun | Problem> {
  const { runs, clock, workplaces } = needs
  const { step, number: visit } = found.state.current!
  const place = await workplaces.ensure(found)
  if ('problem' in place) return place
  // Before anything is taken in: what was brought in is nobody's work here.
  const loaded = await withBrought(needs, found)
  const message = `${step}: by ${actorText(by)}`
  const left = await workplaces.collectWork({ loaded, step, visit, member: 0, boundary: null, message })
  if ('problem' in left) return left
  const beyond = await beyondRole(needs, loaded, left.commit)
  const at = clock.now()
  const facts: readonly Fact[] =
    beyond.length === 0
      ? left.facts
      : [
          ...left.facts,
          {
            type: 'host.noted',
            at,
            text: `${step}: ${actorText(by)} changed what its agent may not: ${someNames(beyond)}`,
          },
        ]
  if (facts.length > 0) await runs.execute(loaded.run, [{ type: 'run.record', at, facts }])
  return (await runs.load(loaded.run))!
}

async function beyondRole(needs: DutyNeeds, loaded: LoadedRun, commit: string): Promise<readonly string[]> {
  const step = stepOf(loaded.program, loaded.state.current!.step)
  if (!('members' in step) || commit === loaded.commit) return []
  const ground = groundAt(needs.processEnvironment.home, loaded.placed.placement)
  const changes = await changesBetween(ground, loaded.commit, commit)
  return judgeWrites({ files: changes.map(({ name }) => name), boundary: boundaryNow(loaded) }).map(shown)
}

const changedByHand = async (ground: Ground, { handed, commit }: LoadedRun): Promise<string> =>
  handed === null || handed === commit ? '' : statBetween({ ground, from: handed, to: commit })

function givenBy({ program, state }: LoadedRun, { pick, fields }: ResumeOrder): RawAnswer {
  const { contract } = stepOf(program, state.current!.step)
  const proposal = state.current!.question?.proposal ?? null
  if (pick !== null) return givenFor({ cause: 'fault', contract, proposal }, pick, fields).given
  return Object.keys(fields).length === 0 ? { kind: 'nothing' } : { kind: 'value', value: fields }
}

async function gatesFor(
  needs: DutyNeeds,
  loaded: LoadedRun,
  said: { readonly given: RawAnswer; readonly note: string },
): Promise<GateResult[] | Rejection> {
  const judged = answerInstead(loaded.program, loaded.state, said)
  if ('refusal' in judged) return { code: judged.refusal.code, problem: judged.refusal.message }
  const { name } = stepOf(loaded.program, loaded.state.current!.step) as AgentStep
  const diffstat = await needs.workplaces.changed(loaded)
  const results: GateResult[] = []
  for (const gate of gatesOf(loaded, name).filter(({ member }) => judged.gates.includes(member))) {
    const result = await putGate(needs, { loaded, gate })
    if ('problem' in result) return { code: 'not-resumed', problem: result.problem }
    const { exitCode, output } = result
    if (exitCode !== 0)
      return {
        code: 'gate-failed',
        problem: `The gate of ${name} failed on what you did (exit code ${exitCode ?? 'none'}): ${gate.command}\n${output.trimEnd()}\nThe run is still yours: mend it and resume again, or hand it back with --back.`,
      }
    results.push({ member: gate.member, exitCode, output, commit: loaded.commit, diffstat })
  }
  return results
}
