/** `signalbox decision …` and `signalbox inbox`: arguments here, what they do in pages of their own. */
import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import type { Operations } from '../../host/operations.ts'
import { URGENCIES } from '../../model/decision.ts'
import { EXIT } from '../exit.ts'
import { wholeNumber } from '../number.ts'
import type { Setting } from '../run.ts'
import type { Terminal } from '../terminal.ts'
import type { AskSetting } from './create.ts'

export interface DecisionWiring {
  readonly terminal: Terminal
  readonly finish: (code: number) => void
  readonly setting: () => Promise<Setting>
  readonly withOperations: (act: (operations: Operations) => Promise<number>) => Promise<number>
  /** For what takes long: where nobody is the host, this process is, so that others reach it meanwhile. */
  readonly whileWaiting: DecisionWiring['withOperations']
  /** A host that cannot be reached is told in a sentence. */
  readonly orComplain: (act: () => Promise<number>) => Promise<number>
}

const ID = 'its id, or the beginning of it'
const JSON_TOO = 'print the decision as JSON'

interface Told {
  readonly json?: boolean
}

export function addDecisionCommands(program: Command, wiring: DecisionWiring): void {
  program
    .command('inbox')
    .description('walk through what waits for you, with single keys')
    .option('--json', 'list as JSON instead')
    .action(async (options: { json?: boolean }) => {
      const { isTTY } = process.stdin
      if (options.json === true || isTTY !== true || process.stdout.isTTY !== true)
        return list(wiring, { ...options, limit: 100 })
      const { walkInbox } = await import('./inbox.ts')
      const { signal } = await wiring.setting()
      await forPeople(staying(wiring), async (operations) => {
        const { paint } = wiring.terminal
        const seat = {
          operations,
          paint,
          signal,
          now: Date.now,
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

const collect = (value: string, all: string[] = []): string[] => [...all, value]

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
      const setting = await askSetting(wiring)
      wiring.finish(await wiring.orComplain(() => createDecision(options, setting)))
    })
  decision
    .command('wait')
    .description('wait for the answer and print it; exit code 3 if there is none yet')
    .argument('<decision>', ID)
    .option('--seconds <n>', 'how long; 45 unless said')
    .option('--json', 'print as JSON')
    .action(async (id: string, options) => {
      const { waitDecision } = await import('./create.ts')
      const setting = await askSetting(wiring)
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

function addAnswering(decision: Command, wiring: DecisionWiring): void {
  const { terminal } = wiring
  decision
    .command('review')
    .description('read one decision in full, then answer it here')
    .argument('[decision]', `${ID}; the most urgent unless said`)
    .option('--json', JSON_TOO)
    .action(async (id: string | undefined, { json }: Told) => {
      const { reviewDecision } = await import('./review.ts')
      const { signal } = await wiring.setting()
      const isHere = process.stdin.isTTY === true && process.stdout.isTTY === true
      const person = isHere ? { input: process.stdin, output: process.stdout, signal } : null
      await forPeople(person === null ? wiring : staying(wiring), (operations) =>
        reviewDecision(id, { terminal, operations, json, person, columns: textColumns(), now: Date.now }),
      )
    })
  decision
    .command('answer')
    .description('answer one decision: an option, or words with --note')
    .argument('<decision>', `${ID}; or a run that asks one thing`)
    .argument('[option]', 'one of the options, or retry or stop where they are offered')
    .option('--question <id>', 'which, where a run asks several')
    .option('--note <text>', 'a word to whoever asked')
    .option('--field <name=text>', 'a field that the option needs', collect)
    .option('--edit <text>', 'what the option shall mean instead')
    .option('--together', 'every decision that asks the same, too')
    .option('--seen <digest>', 'only if it still shows what it showed then')
    .option('--json', 'print as JSON')
    .action(async (id: string, option: string | undefined, options) => {
      const { answerDecision } = await import('./answer.ts')
      await forPeople(wiring, (operations) => answerDecision(id, option, { options, terminal, operations }))
    })
  decision
    .command('undo')
    .description('take an answer back, while it has not been delivered')
    .argument('<decision>', ID)
    .option('--json', JSON_TOO)
    .action(async (id: string, { json }: Told) => {
      const { undoDecision } = await import('./handling.ts')
      await forPeople(wiring, (operations) => undoDecision(id, { terminal, operations, json }))
    })
  decision
    .command('snooze')
    .description('put it off')
    .argument('<decision>', ID)
    .argument('[time]', 'for how long: 30m, 2h, 1d')
    .option('--wake', 'have it back now')
    .option('--json', JSON_TOO)
    .action(
      async (id: string, time: string | undefined, { wake = false, json }: Told & { wake?: boolean }) => {
        const { snoozeDecision } = await import('./handling.ts')
        const how = { time, wake, now: Date.now() }
        await forPeople(wiring, (operations) => snoozeDecision(id, how, { terminal, operations, json }))
      },
    )
  decision
    .command('assign')
    .description('give it to a person or a group')
    .argument('<decision>', ID)
    .argument('[name]', 'to whom')
    .option('--nobody', 'to whoever is there')
    .option('--json', JSON_TOO)
    .action(
      async (id: string, to: string | undefined, { nobody = false, json }: Told & { nobody?: boolean }) => {
        const { assignDecision } = await import('./handling.ts')
        await forPeople(wiring, (operations) =>
          assignDecision(id, { to, nobody }, { terminal, operations, json }),
        )
      },
    )
  decision
    .command('withdraw')
    .description('end one from outside any run without an answer')
    .argument('<decision>', ID)
    .option('--reason <text>', 'why, for the record')
    .option('--json', JSON_TOO)
    .action(async (id: string, { reason = '', json }: Told & { reason?: string }) => {
      const { withdrawDecision } = await import('./handling.ts')
      await forPeople(wiring, (operations) => withdrawDecision(id, reason, { terminal, operations, json }))
    })
  decision
    .command('retry')
    .description('deliver an answer again that could not be')
    .argument('<decision>', ID)
    .option('--json', JSON_TOO)
    .action(async (id: string, { json }: Told) => {
      const { retryDecision } = await import('./handling.ts')
      await forPeople(wiring, (operations) => retryDecision(id, { terminal, operations, json }))
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

const staying = (wiring: DecisionWiring): DecisionWiring => ({
  ...wiring,
  withOperations: wiring.whileWaiting,
})

/** An agent that finds this command has no business with it, whatever it can reach. */
async function forPeople(
  { terminal, finish, setting, withOperations }: DecisionWiring,
  act: (operations: Operations) => Promise<number>,
): Promise<void> {
  const { environment } = await setting()
  if (environment.session === null) return finish(await withOperations(act))
  const { complain } = await import('../complaint.ts')
  const { NOT_FOR_AGENTS } = await import('./session-door.ts')
  finish(complain(terminal, NOT_FOR_AGENTS, EXIT.failed))
}

async function askSetting({
  terminal,
  setting,
  withOperations,
  whileWaiting,
}: DecisionWiring): Promise<AskSetting> {
  const { environment, version, signal } = await setting()
  return {
    terminal,
    environment,
    version,
    signal,
    withOperations,
    whileWaiting,
    stdin: () => textOf(process.stdin),
  }
}

/** Where nobody looks, lines are as long as they are. */
const PAPER = 10_000
const WIDEST = 100

const textColumns = (): number =>
  process.stdout.isTTY === true ? Math.min(process.stdout.columns ?? 80, WIDEST) : PAPER
