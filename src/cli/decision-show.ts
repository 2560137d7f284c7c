/** `signalbox decision show RUN`: every question of a run, and how far its answer has come. */
import { type DecisionRecord, decisionRecords } from '../engine/index.ts'
import type { Operations } from '../host/operations.ts'
import { actorText } from '../model/answer.ts'
import type { RunEvent } from '../model/event.ts'
import { complain } from './complaint.ts'
import { EXIT } from './exit.ts'
import { type Terminal, visible } from './terminal.ts'
import { elapsed } from './timeline.ts'

export interface DecisionShowOptions {
  readonly question?: string
  readonly json?: boolean
}

export async function showDecisions(
  prefix: string,
  options: DecisionShowOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const events = (await operations.events(found.run, 0)).map(({ data }) => data as RunEvent)
  const records = decisionRecords(events).filter(
    ({ id }) => options.question === undefined || id === options.question,
  )
  if (options.json === true) terminal.write(JSON.stringify(records, null, 2))
  else if (records.length === 0) terminal.write('This run has asked nothing of anybody.')
  else terminal.write(records.map((record) => recordText(record, terminal)).join('\n\n'))
  return records.some(({ status }) => status === 'open') ? EXIT.waiting : EXIT.ok
}

function recordText(
  { id, decision, status, by, pick, note, did, stages }: DecisionRecord,
  { paint }: Terminal,
): string {
  const [first] = stages
  const answer =
    by === null ? [] : [`  ${actorText(by)}: ${[pick, note].filter((text) => text !== '').join(', ')}`]
  return [
    `${paint('bold', id)}  ${paint(status === 'open' ? 'magenta' : 'green', status)}`,
    ...(decision === null
      ? []
      : [
          `  ${visible(decision.headline)}: ${visible(decision.question)}`,
          `  ${decision.options.map(({ key }) => key).join(' | ')}`,
        ]),
    ...answer.map(visible),
    ...(did === '' ? [] : [`  then: ${visible(did)}`]),
    paint(
      'dim',
      `  ${stages.map((stage) => `${stage.status} +${elapsed(stage.at - first!.at)}`).join(' → ')}`,
    ),
  ].join('\n')
}
