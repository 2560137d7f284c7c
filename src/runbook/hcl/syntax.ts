/**
 * What a parsed HCL text is made of. Parts keep the order of the text, and an object holds the same attributes
 * that a block does, so that `deadline = { … }` and `deadline { … }` are read by one piece of code.
 */
import type { Position } from '../../model/diagnostic.ts'

interface Literal {
  readonly kind: 'literal'
  readonly at: Position
  readonly value: string | number | boolean | null
  readonly written?: string
  /** A word without quotes, which is a look-up to HCL and names nothing in a runbook. */
  readonly word?: string
  readonly lookUps?: readonly Position[]
}

interface ListExpression {
  readonly kind: 'list'
  readonly at: Position
  readonly items: readonly Expression[]
}

interface ObjectExpression {
  readonly kind: 'object'
  readonly at: Position
  readonly fields: readonly Attribute[]
}

export type Expression = Literal | ListExpression | ObjectExpression

export interface Attribute {
  readonly kind: 'attribute'
  readonly name: string
  readonly at: Position
  readonly value: Expression
}

export interface Label {
  readonly text: string
  readonly at: Position
}

export interface Block {
  readonly kind: 'block'
  readonly type: string
  readonly at: Position
  readonly labels: readonly Label[]
  readonly body: BlockBody
}

export type BodyPart = Attribute | Block
export type BlockBody = readonly BodyPart[]

export const partName = (part: BodyPart): string => (part.kind === 'attribute' ? part.name : part.type)
