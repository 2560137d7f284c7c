/** A scripted agent for the cases: it finds each by the words of its task and does what it is told to do there. */
import type { Script, ScriptAction } from '../../src/drivers/scripted/script.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import type { TriggerCase } from './cases.ts'

/** `parrot` asks in the words of the task. */
export type Manner = 'as it should' | 'asks' | 'never asks' | 'parrot'

export function scriptFor(
  cases: readonly TriggerCase[],
  mannerOf: (id: string) => Manner = () => 'as it should',
): Script {
  return {
    sessions: cases.map((each) => ({
      when: { prompt: each.task },
      turns: [turnOf(each, mannerOf(each.id))],
    })),
  }
}

function turnOf({ ask, task }: TriggerCase, manner: Manner): readonly ScriptAction[] {
  const asks = manner === 'as it should' ? ask : manner !== 'never asks'
  if (!asks) return [{ answer: { result: 'finished' }, via: 'mcp' }]
  const own = { headline: 'Which of the two ways?', question: 'Which of these shall it be?' }
  const words = manner === 'parrot' ? { ...own, context: task } : own
  const { options, recommended } = EXAMPLE_DECISION
  return [
    { tool: { name: 'create_decision', arguments: { ...words, options, recommended } } },
    { say: 'I wait.' },
  ]
}
