/** The whole document: one job with what stands in it and beside it, a bare list of steps, or a library. */
import { didYouMean } from '../../model/nearest.ts'
import type { DiagnosticDraft } from '../report.ts'
import type { MapTree } from '../tree.ts'
import { addDefaults } from './defaults.ts'
import { createDraft, type MapDraft } from './draft.ts'
import { addPart, FLOW, isNamed } from './mapping.ts'
import { orderSteps } from './order.ts'
import type { Problems } from './problems.ts'
import { readStep, type StepDraft } from './step.ts'
import { type Attribute, type Block, type BlockBody, type BodyPart, partName } from './syntax.ts'

const IN_A_JOB = ['step', ...FLOW.gathers!.keys(), 'limits', 'budgets', 'vars', 'on', 'deadline', 'setup']
const AT_THE_TOP = ['job', ...IN_A_JOB]
const START = { line: 1, column: 1 }

export function readFlow(document: BlockBody, problems: Problems): MapTree {
  const top = createDraft({ at: START, path: '' }, problems)
  const parts = document.flatMap((part) => (isJob(part) ? part.body : [part]))
  if (!parts.some((part) => partName(part) === 'runbook')) putVersion(top)

  const steps = createDraft({ at: START, path: 'steps' }, problems)
  const found: StepDraft[] = []
  const add = (part: BodyPart, known: readonly string[]): void => {
    if (part.kind === 'block' && part.type === 'step') {
      const step = readStep(part, steps)
      if (step !== null) found.push(step)
    } else if (part.kind === 'block' && !known.includes(part.type)) problems.add(unknownBlock(part, known))
    else if (part.kind === 'attribute' && part.name === 'steps') problems.syntax(stepsInMap(part))
    else addPart({ draft: top, mapping: FLOW }, part)
  }

  let job: Block | undefined
  for (const part of document) {
    if (!isJob(part)) add(part, AT_THE_TOP)
    else if (job !== undefined) refuseSecond(part, problems)
    else {
      job = part
      putName(top, part)
      for (const inner of part.body) add(inner, IN_A_JOB)
    }
  }
  putSteps(top, found)
  return top.tree
}

const isJob = (part: BodyPart): part is Block => part.kind === 'block' && part.type === 'job'

const unknownBlock = ({ type, at, labels }: Block, known: readonly string[]): DiagnosticDraft => ({
  code: 'unknown-key',
  at,
  path: type,
  message: `A flow has no block "${type}".`,
  help: type === 'budget' ? `Write budgets = { ${labels[0]?.text ?? 'NAME'} = 1 }.` : didYouMean(type, known),
})

function stepsInMap({ at, value }: Attribute) {
  const first = value.kind === 'object' ? value.fields[0]?.name : undefined
  return { at, message: 'Each step is a block of its own.', help: `Write step "${first ?? 'NAME'}" { … }.` }
}

function refuseSecond(job: Block, problems: Problems): void {
  const name = job.labels[0] === undefined ? 'this job' : `job "${job.labels[0].text}"`
  problems.add({
    code: 'two-flows',
    at: job.at,
    path: '',
    message: `One file is one flow, and it already has one: ${name} is the second.`,
    help: 'Move it to a file of its own.',
  })
}

function putVersion(top: MapDraft): void {
  top.put({ key: 'runbook', at: START, value: { kind: 'scalar', at: START, path: 'runbook', value: 1 } })
}

/** A job without a name is named by the caller, as a bare list of steps is. */
function putName(top: MapDraft, job: Block): void {
  const label = job.labels[0]
  if (label === undefined || !isNamed(job, top.problems)) return
  const { text: value, at } = label
  top.put({ key: 'name', at, value: { kind: 'scalar', at, path: 'name', value } })
}

function putSteps(top: MapDraft, found: readonly StepDraft[]): void {
  const first = found[0]
  if (first === undefined) return
  const ordered = orderSteps(found, top.problems)
  addDefaults(ordered, top.child('ends')?.tree)
  const { at } = first.draft.tree
  const entries = ordered.map(({ entry }) => entry)
  top.put({ key: 'steps', at, value: { kind: 'map', at, path: 'steps', entries } })
}
