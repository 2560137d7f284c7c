/** `signalbox decision …` and `signalbox inbox`: arguments here, what they do in pages of their own. */
import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { URGENCIES } from '../../model/decision.ts'
import { EXIT } from '../exit.ts'
import { collect } from '../terminal/arguments.ts'
import { wholeNumber } from '../terminal/number.ts'
import { PAPER, textColumns } from '../terminal/terminal.ts'
import type { Wiring } from '../wiring.ts'
import { addAnswering } from './answering-commands.ts'
import type { AskSetting } from './create.ts'
import { usualHoldMs } from './hold.ts'
import { type DecisionWiring, decisionWiring, forPeople, ID, staying } from './wiring.ts'

export function addDecisionCommands(program: Command, base: Wiring): void {
  const wiring = decisionWiring(base)
  program
    .command('inbox')
    .description('walk through what waits for you, with single keys')
    .option('--json', 'list as JSON instead')
    .action(async (options: { json?: boolean }) => {
      const { isTTY } = process.stdin
      if (options.json === true || isTTY !== true || process.stdout.isTTY !== true)
        return list(wiring, { ...options, limit: 100 })
      const { walkInbox } = await import('./inbox.ts')
      const { signal, environment } = wiring.setting()
      const holdMs = await usualHoldMs(environment)
      await forPeople(staying(wiring), async (operations) => {
        const { paint } = wiring.terminal
        const seat = {
          operations,
          paint,
          signal,
          now: Date.now,
          holdMs,
          input: process.stdin,
          output: process.stdout,
        }
        const code = await walkInbox(seat)
        if (code === EXIT.ok) wiring.terminal.write('Nobody waits for you.')
        return code
      })
    })

  const decision = program.command('decision').description('questions that lie with people')
  addAsking(decision, wiring)
  addReading(decision, wiring)
  addAnswering(decision, wiring)
}

function addAsking(decision: Command, wiring: DecisionWiring): void {
  decision
    .command('create')
    .description('put a question to a person; prints its id')
    .option('--headline <text>', 'what it is about, as a title')
    .option('--question <text>', 'the question itself, one sentence')
    .option(
      '--option <key=label[:body]>',
      'a way to go on, and what will be done then; two to six of them',
      collect,
    )
    .option('--recommended <key>', 'the one to pick if it were yours')
    .option('--irreversible <key>', 'this one cannot be undone', collect)
    .option('--confidence <key=number>', 'how sure you are of it, from 0 to 1', collect)
    .option('--kind <name>', 'the template it follows')
    .option('--context <text>', 'what a person must know to decide')
    .option('--evidence <name=text>', 'a text that speaks for or against', collect)
    .addOption(new Option('--urgency <how>', 'how urgent it is').choices(URGENCIES))
    .option('--deadline <duration>', 'how long it may wait: 30m, 2h, 1d')
    .option('--supersedes <decision>', 'the one it stands in the place of')
    .option('--resume <command>', 'run this with the answer on its standard input')
    .option('--file <file>', 'all of this as JSON; - for standard input')
    .option('--from <name>', 'who asks, for the record')
    .option('--model <name>', 'the model that asks, for the record')
    .option('--wait [seconds]', 'wait for the answer and print it; exit code 3 if there is none yet')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { createDecision } = await import('./create.ts')
      const setting = askSetting(wiring)
      wiring.finish(await wiring.orComplain(() => createDecision(options, setting)))
    })
  decision
    .command('wait')
    .description('wait for the answer and print it; exit code 3 if there is none yet')
    .argument('<decision>', ID)
    .option('--seconds <n>', 'how long; 45 by default')
    .option('--json', 'print as JSON')
    .action(async (id: string, options) => {
      const { waitDecision } = await import('./create.ts')
      const setting = askSetting(wiring)
      wiring.finish(await wiring.orComplain(() => waitDecision(id, options, setting)))
    })
}

function addReading(decision: Command, wiring: DecisionWiring): void {
  const { terminal } = wiring
  decision
    .command('list')
    .description('what waits for a person, most costly delay first')
    .option('--all', 'everything there ever was: what waits, then the latest')
    .option('--status <status>', 'pending, closed, open, answered, delivered, acknowledged, acted, …')
    .option('--run <run>', 'only of this run')
    .option('--kind <name>', 'only of this kind')
    .option('--agent <name>', 'only from this agent or client')
    .option('--assignee <name>', 'only for this person or group')
    .option('--repo <path>', 'only of this repository')
    .option('--snoozed', 'those that were put off too')
    .option('--each', 'equal questions one by one')
    .option('--limit <n>', 'at most so many', wholeNumber, 50)
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .option('--json', 'print as JSON')
    .action((options) => list(wiring, options))
  decision
    .command('show')
    .description('one decision and what became of it, or every one of a run')
    .argument('<decision>', `${ID}; or a run`)
    .option('--question <id>', 'only this one of the run')
    .option('--proof', 'how an agent came to ask')
    .option('--json', 'print as JSON')
    .action(async (id: string, options) => {
      const { showDecision } = await import('./show.ts')
      await forPeople(wiring, (operations) =>
        showDecision(id, options, { terminal, operations, columns: textColumns(), now: Date.now() }),
      )
    })
  decision
    .command('export')
    .description('every decision with its whole record, as JSON lines')
    .option('--out <file>', 'write to this file')
    .action(async (options) => {
      const { exportDecisions } = await import('./export.ts')
      await forPeople(wiring, (operations) => exportDecisions(options, { terminal, operations }))
    })
}

async function list(
  wiring: DecisionWiring,
  options: Parameters<typeof import('./list.ts').listDecisions>[0],
): Promise<void> {
  const { listDecisions } = await import('./list.ts')
  const columns = process.stdout.isTTY === true ? (process.stdout.columns ?? 80) : PAPER
  await forPeople(wiring, (operations) =>
    listDecisions(options, { terminal: wiring.terminal, operations, columns, now: Date.now() }),
  )
}

function askSetting({ terminal, setting, keeping, whileWaiting }: DecisionWiring): AskSetting {
  const { environment, version, signal } = setting()
  return {
    terminal,
    environment,
    version,
    signal,
    withOperations: keeping,
    whileWaiting,
    stdin: () => textOf(process.stdin),
  }
}
