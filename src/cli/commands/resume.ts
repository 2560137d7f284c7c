/** `signalbox resume`: what you did by hand is the step's work, once its gate has passed; or the agent goes on with it. */
import { type Command, Option } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { Resumed, ResumeOrder } from '../../model/api/course.ts'
import { EXIT } from '../exit.ts'
import { collect, RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, type Terminal } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addResume(program: Command, wiring: Wiring): void {
  program
    .command('resume')
    .description('go on with a run you took over: what you did is the step’s work, once its gate passes')
    .argument('<run>', RUN_ID)
    .addOption(new Option('--answer <option>', 'the outcome, where the step asks for one').conflicts('back'))
    .option('--field <name=value>', 'what else the step asks; JSON where it is no text', collect)
    .option('--handoff <json>', 'its handoff')
    .option('--note <text>', 'a word to whoever comes next', '')
    .option('--back', 'hand it back to the agent, which is told what you changed')
    .option('--json', 'print as JSON')
    .action(async (run: string, options: ResumeOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) => resume(run, options, { ...wiring, operations })),
      ),
    )
}

interface ResumeOptions {
  readonly answer?: string
  readonly field?: readonly string[]
  readonly handoff?: string
  readonly note: string
  readonly back?: boolean
  readonly json?: boolean
}

async function resume(
  prefix: string,
  options: ResumeOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const order = orderOf(options)
  if ('problem' in order) return complain(terminal, order.problem, EXIT.usage)
  for (;;) {
    terminal.progress('What you did is taken in, and its gate is put to it …')
    const resumed = await operations.course.resume(found.run, order)
    terminal.clearProgress()
    if ('problem' in resumed) return complain(terminal, resumed.problem, EXIT.failed)
    if (resumed.state === 'going-on') continue
    terminal.write(
      options.json === true ? JSON.stringify(resumed, null, 2) : resumedText(found.run, order, resumed),
    )
    return EXIT.ok
  }
}

function orderOf({
  answer,
  field = [],
  handoff,
  note,
  back,
}: ResumeOptions): ResumeOrder | { problem: string } {
  const fields: Record<string, unknown> = {}
  for (const text of field) {
    const cut = text.indexOf('=')
    if (cut < 1) return { problem: `--field takes NAME=VALUE, not "${text}".` }
    fields[text.slice(0, cut)] = parsedOr(text.slice(cut + 1))
  }
  if (handoff !== undefined) fields['handoff'] = parsedOr(handoff)
  return { how: back === true ? 'back' : 'answered', pick: answer ?? null, fields, note }
}

/** A number, a list or an object as JSON; words stay words. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function resumedText(
  run: string,
  { how }: ResumeOrder,
  { commit, gates, step, end }: Extract<Resumed, { state: 'resumed' }>,
): string {
  if (how === 'back') return `${run} goes on at ${step ?? end} with what you did (${commit.slice(0, 9)})`
  const judged = gates === 0 ? '' : `; ${plural(gates, 'gate')} passed on it`
  const where = step === null ? `ended as ${end}` : `goes on at ${step}`
  return `${run} has taken what you did (${commit.slice(0, 9)})${judged}, and ${where}`
}
