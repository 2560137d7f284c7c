/**
 * `signalbox flow`: what the gates, checks, judges and primes of the shipped flows run. They stand here, and not as scripts in the
 * repository, because that is ground that agents may write.
 */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { readEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { Wiring } from '../wiring.ts'
import { lastLeft, type OwnRecord, readOwnRecord } from './own-record.ts'
import { rest, seal, tasks } from './papers.ts'

export function addFlowCommands(program: Command, { terminal, finish }: Wiring): void {
  const flow = program
    .command('flow')
    .description('what the checks of the shipped flows run; only of use in a runbook')
  const withRecord = (act: (record: OwnRecord) => number | Promise<number>) => async (): Promise<void> => {
    const record = await readOwnRecord(readEnvironment(process.env))
    finish('problem' in record ? complain(terminal, record.problem, EXIT.failed) : await act(record))
  }

  flow
    .command('context')
    .description('what is open, untested, filed and spent in this run')
    .action(
      withRecord(async (record) => {
        const { contextText } = await import('./context.ts')
        terminal.write(contextText(record))
        return EXIT.ok
      }),
    )
  flow
    .command('seal')
    .description('take a paper of the run as it is into the record')
    .argument('<file>', 'the paper')
    .option('--new', 'refuse one that says what an earlier one of its name said')
    .option('--by <steps>', 'the steps whose gates seal it, with commas', 'plan,revise_plan')
    .action(async (file: string, options: { new?: boolean; by: string }) =>
      withRecord((record) =>
        seal(file, { record, terminal, by: options.new === true ? options.by.split(',') : [] }),
      )(),
    )
  flow
    .command('tasks')
    .description('hold a list of tasks to its form, and to what was handed over')
    .argument('<file>', 'the list, as JSON')
    .option('--by <step>', 'the step that hands them over', 'split')
    .action(async (file: string, { by }: { by: string }) =>
      withRecord((record) => tasks(file, { record, terminal, by }))(),
    )
  flow
    .command('rest')
    .description('print all tasks but the first, as they were when their gate passed')
    .argument('<file>', 'the list, as JSON')
    .option('--by <step>', 'the step whose gate it passed', 'split')
    .action(async (file: string, { by }: { by: string }) =>
      withRecord((record) => rest(file, { record, terminal, by }))(),
    )
  flow
    .command('red')
    .description(
      'run the tests without the work, and compare how they fail with what was handed over: 0, 20 (some pass) or 21',
    )
    .requiredOption('--run <command>', 'what runs the tests, for sh')
    .option('--undo <steps>', 'the steps whose work is taken out first, with commas', '')
    .option('--step <name>', 'the step that handed the tests over', 'write_tests')
    .action(async ({ run, undo, step }: { run: string; undo: string; step: string }) =>
      withRecord(async (record) => {
        const { RED_EXITS, verifyRed } = await import('./verify-red.ts')
        const { redness, text } = verifyRed(record, { command: run, step, undone: undo.split(',') })
        terminal.write(text)
        return RED_EXITS[redness.kind]
      })(),
    )
  flow
    .command('met')
    .description('print the numbers of the criteria that were found to be met, a line each')
    .option('--step <name>', 'the step that found so', 'criteria')
    .action(async ({ step }: { step: string }) =>
      withRecord(({ events }) => {
        const met = lastLeft(events, step)?.answer?.fields['met']
        const numbers = Array.isArray(met)
          ? met.filter((one) => /^[1-9]\d{0,3}$/.test(String(one).trim()))
          : []
        for (const number of new Set(numbers.map((one) => String(one).trim())))
          process.stdout.write(`${number}\n`)
        return EXIT.ok
      })(),
    )
  flow
    .command('summary')
    .description('how this run went, for its issue')
    .option('--given-back', 'it is to be thrown away: why, and how')
    .action(async ({ givenBack }: { givenBack?: boolean }) =>
      withRecord(async (record) => {
        const { summaryText } = await import('./summary.ts')
        terminal.write(summaryText(record, givenBack === true ? 'given back' : 'ended'))
        return EXIT.ok
      })(),
    )
  flow
    .command('judge-tests')
    .description('a judge: is the patch on standard input tests, and nothing else?')
    .action(async () => {
      const { CANNOT_JUDGE, judgeTests, REFUSED } = await import('./judge-tests.ts')
      const wrong = judgeTests(readFileSync(0, 'latin1'))
      if ('problem' in wrong) return finish(complain(terminal, wrong.problem, CANNOT_JUDGE))
      for (const sentence of wrong) terminal.write(sentence)
      return finish(wrong.length === 0 ? EXIT.ok : REFUSED)
    })
}
