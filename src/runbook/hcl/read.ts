/**
 * A runbook written in HCL, read into the tree that its YAML form would give. What needs the flow's meaning is not
 * judged here; only what HCL alone has is: its syntax, one job a file, `depends_on`, and the moves it leaves unsaid.
 */
import type { Report } from '../report.ts'
import type { Tree } from '../tree.ts'
import { readFlow } from './flow.ts'
import { parseHcl } from './parser.ts'
import { createProblems } from './problems.ts'

const START = { line: 1, column: 1 }

/** Null where the text could not be read in full: judging the rest would report faults that are not there. */
export function readHcl(text: string, report: Report): Tree | null {
  const problems = createProblems(report)
  const yaml = /^\s*runbook:\s/.exec(text)
  if (yaml !== null) {
    problems.syntax({
      at: START,
      message: 'This is YAML, and the file is named as HCL.',
      help: 'Name it .yaml.',
    })
    return null
  }
  const document = parseHcl(text, problems)
  if (problems.hasGaps()) return null
  const tree = readFlow(document, problems)
  return problems.hasGaps() ? null : tree
}
