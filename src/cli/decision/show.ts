/** `decision show`: one decision with all that became of it, or every one of a run. */
import type { DecisionRecord } from '../../model/decision-record.ts'
import { EXIT, exitOf } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { Look } from './card.ts'
import { type AtDoor, decisionsOf, findNamed } from './find.ts'
import { proofText } from './proof-text.ts'
import { recordText } from './record-text.ts'

export interface ShowDecisionOptions {
  readonly question?: string
  readonly proof?: boolean
  readonly json?: boolean
}

type Setting = AtDoor & { readonly columns: number; readonly now: number }

export async function showDecision(
  prefix: string,
  options: ShowDecisionOptions,
  setting: Setting,
): Promise<number> {
  const { terminal, operations } = setting
  const named = await findNamed(operations, prefix, options.question)
  if ('problem' in named) return complain(terminal, named.problem, named.exit)
  if ('id' in named) {
    const record = await operations.decisions.show(named.id)
    if ('problem' in record) return complain(terminal, record.problem, exitOf(record))
    terminal.write(
      options.json === true ? JSON.stringify(record, null, 2) : await textOf(record, options, setting),
    )
    return EXIT.ok
  }
  const rows = await decisionsOf(operations, named.run, 'all')
  if ('problem' in rows) return complain(terminal, rows.problem, EXIT.failed)
  const wanted = rows
    .filter(({ question }) => options.question === undefined || question === options.question)
    .toReversed()
  const records: DecisionRecord[] = []
  for (const { id } of wanted) {
    const record = await operations.decisions.show(id)
    if (!('problem' in record)) records.push(record)
  }
  if (options.json === true) terminal.write(JSON.stringify(records, null, 2))
  else if (records.length === 0) terminal.write('This run has asked nothing of anybody.')
  else {
    const texts: string[] = []
    for (const record of records) texts.push(await textOf(record, options, setting))
    terminal.write(texts.join(`\n\n${terminal.paint('dim', '─'.repeat(Math.min(setting.columns, 60)))}\n\n`))
  }
  return EXIT.ok
}

async function textOf(
  record: DecisionRecord,
  { proof }: ShowDecisionOptions,
  { terminal, operations, columns, now }: Setting,
): Promise<string> {
  const look: Look = { paint: terminal.paint, columns, now, mostLines: Number.POSITIVE_INFINITY }
  if (proof === true) {
    const call = record.proof === null ? null : await operations.kept(record.proof.call)
    const head = `${terminal.paint('bold', record.id)}  ${record.shown.headline}`
    return `${head}\n${proofText(record, { call, look })}`
  }
  const before = record.supersedes === null ? null : await operations.decisions.show(record.supersedes)
  return recordText(record, { before: before === null || 'problem' in before ? null : before, look })
}
