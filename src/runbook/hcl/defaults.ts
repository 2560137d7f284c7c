/**
 * What HCL leaves unsaid. A file of steps reads from top to bottom, so a step leads to the one after it; the YAML
 * form says every move aloud and has none of these defaults.
 */
import { childOf, entriesOf, type MapTree, under } from '../tree.ts'
import type { MapDraft } from './draft.ts'
import type { StepDraft } from './step.ts'

const DONE = 'done'
const ASK = 'ask'
const BUILT_IN_ENDS = [DONE, 'abandoned']

interface Moves {
  /** Every name a move may lead to. */
  readonly targets: ReadonlySet<string>
  /** The step after this one, or the end. */
  readonly following: string
}

/** `steps` in the order in which they lead to each other; `ends` are those the file declares. */
export function addDefaults(steps: readonly StepDraft[], ends: MapTree | undefined): void {
  const targets = new Set([
    ...steps.map(({ name }) => name),
    ...BUILT_IN_ENDS,
    ...entriesOf(ends).map(({ key }) => key),
  ])
  for (const [index, { draft }] of steps.entries()) {
    const following = steps[index + 1]?.name ?? DONE
    if (leadsOn(draft)) put(draft, ['next', following])
    if (draft.has('decide')) addOptionTargets(draft, { targets, following })
  }
}

/** A decision that only names a template gets its options there: for it `next` is where they lead by default. */
function leadsOn(step: MapDraft): boolean {
  if (step.has('next') || step.has('options') || step.has('when')) return false
  return !step.has('decide') || step.has('template')
}

function addOptionTargets(step: MapDraft, { targets, following }: Moves): void {
  const options = step.child('options')
  for (const { key } of options?.tree.entries ?? []) {
    const option = options?.child(key)
    if (option === undefined || option.has('to')) continue
    if (targets.has(key)) put(option, ['to', key])
    else if (isRecommended(option)) put(option, ['to', following])
    else {
      put(option, ['to', ASK])
      warnOfAsking(option, key)
    }
  }
}

function isRecommended(option: MapDraft): boolean {
  const recommended = childOf(option.tree, 'recommended')
  return recommended?.kind === 'scalar' && recommended.value === true
}

function put(draft: MapDraft, [key, value]: readonly ['next' | 'to', string]): void {
  const { at, path } = draft.tree
  draft.put({ key, at, value: { kind: 'scalar', at, path: under(path, key), value } })
}

function warnOfAsking({ tree, problems }: MapDraft, key: string): void {
  problems.add({
    code: 'option-without-target',
    severity: 'warning',
    at: tree.at,
    path: tree.path,
    message: `Nobody says where "${key}" leads, so a person will be asked when it is picked.`,
    help: 'Write to = "STEP" in the option.',
  })
}
