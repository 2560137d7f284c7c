/** The library: what a runbook written in TypeScript imports. */
export { type Question, question } from './runbook/builder/question.ts'
export { type Runbook, runbook } from './runbook/builder/runbook.ts'
