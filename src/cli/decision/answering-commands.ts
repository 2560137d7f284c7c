/** The commands that do something about a decision, in the name of whoever is at the keyboard. */
import type { Command } from 'commander'
import { collect } from '../terminal/arguments.ts'
import { personHere, textColumns } from '../terminal/terminal.ts'
import { usualHoldMs } from './hold.ts'
import { type DecisionWiring, forPeople, ID, staying } from './wiring.ts'

const JSON_TOO = 'print the decision as JSON'

interface Told {
  readonly json?: boolean
}

export function addAnswering(decision: Command, wiring: DecisionWiring): void {
  const { terminal } = wiring
  decision
    .command('review')
    .description('read one decision in full, then answer it here')
    .argument('[decision]', `${ID}; the most urgent by default`)
    .option('--json', JSON_TOO)
    .action(async (id: string | undefined, { json }: Told) => {
      const { reviewDecision } = await import('./review.ts')
      const { signal } = wiring.setting()
      const here = personHere()
      const person = here === null ? null : { ...here, signal }
      const holdMs = await usualHoldMs(wiring.setting().environment)
      await forPeople(person === null ? wiring : staying(wiring), (operations) =>
        reviewDecision(id, {
          terminal,
          operations,
          json,
          person,
          columns: textColumns(),
          now: Date.now,
          holdMs,
        }),
      )
    })
  decision
    .command('answer')
    .description('answer one decision: an option, or words with --note')
    .argument('<decision>', `${ID}; or a run that asks one thing`)
    .argument('[option]', 'one of the options, or retry or stop where they are offered')
    .option('--question <id>', 'which, where a run asks several')
    .option('--note <text>', 'a word to whoever asked')
    .option(
      '--field <name=text>',
      'a field that the option needs; handoff.NAME for one of its handoff',
      collect,
    )
    .option('--handoff <file>', 'the handoff, as JSON; - for standard input')
    .option('--edit <text>', 'what the option shall mean instead')
    .option('--together', 'every decision that asks the same, too')
    .option('--seen <digest>', 'only if it still shows what it showed then')
    .option('--hold <time>', 'how long it can be taken back before anything comes of it; 0s in scripts')
    .option('--json', 'print as JSON')
    .action(async (id: string, option: string | undefined, options) => {
      const { answerDecision } = await import('./answer.ts')
      const holdMs = await usualHoldMs(wiring.setting().environment)
      await forPeople(wiring, (operations, isAlone) =>
        answerDecision(id, option, { options, terminal, operations, isAlone, usualHoldMs: holdMs }),
      )
    })
  decision
    .command('undo')
    .description('take an answer back, for as long as it is held and has not been delivered')
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
        const { readConfig } = await import('../config/config.ts')
        const { environment } = wiring.setting()
        const { people } = readConfig({ configDir: environment.configDir, repo: null }).config
        const known = [
          environment.user,
          ...Object.keys(people),
          ...Object.values(people).flatMap(({ groups }) => groups),
        ]
        await forPeople(wiring, (operations) =>
          assignDecision(id, { to, nobody, known }, { terminal, operations, json }),
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
      await forPeople(wiring, (operations, isAlone) =>
        retryDecision(id, { terminal, operations, json, isAlone }),
      )
    })
}
