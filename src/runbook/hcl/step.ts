/**
 * A step block. What HCL nests (`run = { agent = … }`, `decision { … }`) lies flat in the tree, where the key
 * itself says of which kind a step is.
 */
import type { Position } from '../../model/diagnostic.ts'
import { type Entry, under } from '../tree.ts'
import type { MapDraft } from './draft.ts'
import { addPart, DECISION, isNamed, isNameless, RUN, refuseWord, STEP } from './mapping.ts'
import { type Attribute, type Block, type BodyPart, type Expression, partName } from './syntax.ts'

export interface Dependency {
  readonly name: string
  readonly at: Position
}

export interface StepDraft {
  readonly name: string
  readonly entry: Entry
  readonly draft: MapDraft
  readonly dependsOn: readonly Dependency[]
}

/** Null where the step has no name, or one that is taken. */
export function readStep(block: Block, steps: MapDraft): StepDraft | null {
  if (!isNamed(block, steps.problems)) return null
  const { text: name, at } = block.labels[0]!
  const isTaken = steps.has(name)
  const draft = steps.fresh({ key: name, at, from: block.at })
  if (isTaken) return null
  const dependsOn: Dependency[] = []
  for (const part of block.body) {
    switch (partName(part)) {
      case 'run':
        addRun(draft, part)
        break
      case 'decision':
        addDecision(draft, part)
        break
      case 'depends_on':
        for (const dependency of readDependencies(draft, part)) dependsOn.push(dependency)
        break
      default:
        addPart({ draft, mapping: STEP }, part)
    }
  }
  return { name, entry: { key: name, at, value: draft.tree }, draft, dependsOn }
}

function addRun(draft: MapDraft, part: BodyPart): void {
  const inner = innerParts(draft, part)
  if (inner !== undefined) for (const each of inner) addPart({ draft, mapping: RUN }, each)
  else if (part.kind === 'attribute' && isText(part.value)) {
    addPart({ draft, mapping: STEP }, { ...part, name: 'check' })
  } else addPart({ draft, mapping: STEP }, part)
}

function addDecision(draft: MapDraft, part: BodyPart): void {
  const inner = innerParts(draft, part)
  if (inner === undefined) {
    addPart({ draft, mapping: STEP }, part)
    return
  }
  const isSecond = draft.has('decide')
  if (isSecond || !holds(inner, 'prompt')) {
    const value = holds(inner, 'template') ? true : ''
    const path = under(draft.tree.path, 'decide')
    draft.put({ key: 'decide', at: part.at, value: { kind: 'scalar', at: part.at, path, value } })
  }
  if (!isSecond) for (const each of inner) addPart({ draft, mapping: DECISION }, each)
}

const holds = (parts: readonly BodyPart[], name: string): boolean =>
  parts.some((part) => part.kind === 'attribute' && part.name === name)

/** The parts of `name { … }` or `name = { … }`; undefined where it is an attribute that holds no object. */
function innerParts(draft: MapDraft, part: BodyPart): readonly BodyPart[] | undefined {
  if (part.kind === 'block') return isNameless(part, draft.problems) ? part.body : []
  return part.value.kind === 'object' ? part.value.fields : undefined
}

function readDependencies(draft: MapDraft, part: BodyPart): Dependency[] {
  const names = part.kind === 'attribute' ? listed(part) : [undefined]
  const found = names.flatMap((value) => {
    if (value === undefined || !isText(value)) return []
    if (value.word === undefined) return [{ name: value.value, at: value.at }]
    refuseWord(value.word, value.at, draft.problems)
    return []
  })
  if (names.some((value) => value === undefined || !isText(value))) {
    const message = 'depends_on is a list of step names.'
    draft.problems.syntax({ at: part.at, message, help: 'Write depends_on = ["STEP"].' })
  }
  return found
}

const listed = ({ value }: Attribute): readonly Expression[] =>
  value.kind === 'list' ? value.items : [value]

const isText = (value: Expression): value is Expression & { kind: 'literal'; value: string } =>
  value.kind === 'literal' && typeof value.value === 'string'
