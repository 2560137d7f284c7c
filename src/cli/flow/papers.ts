/** The papers of a run (its plan, its tasks, what is to be fixed), as gates and checks look at them. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { lastAnswer, lastStep, type OwnRecord, withSteps } from './own-record.ts'

interface Sealing {
  readonly record: OwnRecord
  readonly terminal: Terminal
}

export async function seal(
  file: string,
  { record, terminal, by }: Sealing & { readonly by: readonly string[] },
): Promise<number> {
  const text = textOf(file)
  if (typeof text !== 'string') return complain(terminal, text.problem, EXIT.failed)
  const { sealOf, sealsOf, sealText } = await import('./seal.ts')
  const made = sealOf(basename(file), text)
  const sealed = sealsOf(record.events, { name: made.name, steps: by })
  // Put again once its step is left, as landing does, the gate finds its own seal last.
  const earlier = by.includes(lastStep(record.events)) ? sealed : sealed.slice(0, -1)
  if (earlier.some(({ words }) => words === made.words))
    return complain(
      terminal,
      `${file} says what it said when it was sent back. Change it, so that what was found is dealt with, or say in it why it is not.`,
      EXIT.failed,
    )
  terminal.write(sealText(made))
  return EXIT.ok
}

export async function tasks(
  file: string,
  { record, terminal, by }: Sealing & { readonly by: string },
): Promise<number> {
  const text = textOf(file)
  if (typeof text !== 'string') return complain(terminal, text.problem, EXIT.failed)
  const [{ parseTasks }, { sealOf, sealText }] = await Promise.all([
    import('./tasks.ts'),
    import('./seal.ts'),
  ])
  const parsed = parseTasks(text)
  if ('problems' in parsed) return complain(terminal, `${file}:\n${parsed.problems.join('\n')}`, EXIT.failed)
  const handed = lastAnswer(record.events, by)?.handoff?.values ?? {}
  const size = parsed.tasks.length === 1 ? 'one' : 'several'
  if (handed['size'] !== size)
    return complain(
      terminal,
      `${file} has ${parsed.tasks.length} tasks, and \`size\` says something else.`,
      EXIT.failed,
    )
  const files = Array.isArray(handed['files']) ? [...(handed['files'] as string[])].sort().join('\n') : ''
  if ([...parsed.tasks[0]!.files].sort().join('\n') !== files)
    return complain(
      terminal,
      `\`files\` of the first task in ${file} are not those that you hand over. Make them the same.`,
      EXIT.failed,
    )
  for (const [index, { title }] of parsed.tasks.entries())
    terminal.write(`task ${index + 1}: ${title.replaceAll(/\s+/g, ' ')}`)
  terminal.write(sealText(sealOf(basename(file), text)))
  return EXIT.ok
}

export async function rest(
  file: string,
  { record, terminal, by }: Sealing & { readonly by: string },
): Promise<number> {
  const text = textOf(file)
  if (typeof text !== 'string') return complain(terminal, text.problem, EXIT.failed)
  const [{ parseTasks, remainingTasks, titleKey }, { sealOf, sealsOf }] = await Promise.all([
    import('./tasks.ts'),
    import('./seal.ts'),
  ])
  const sealed = sealsOf(record.events, { name: basename(file), steps: [by] }).at(-1)
  if (sealed?.bytes !== sealOf(basename(file), text).bytes)
    return complain(terminal, `${file} was changed after it was agreed on.`, EXIT.failed)
  const parsed = parseTasks(text)
  if ('problems' in parsed) return complain(terminal, parsed.problems.join('\n'), EXIT.failed)
  terminal.write(
    JSON.stringify(remainingTasks(parsed.tasks, new Set(filedTitles(record).map(titleKey))), null, 2),
  )
  return EXIT.ok
}

/** Of the tasks that were filed before in this run: those that stood in the list each time. */
function filedTitles({ events }: OwnRecord): string[] {
  let listed: string[] = []
  const filed: string[] = []
  for (const { step, event } of withSteps(events)) {
    if (event.type === 'gate.passed' && step === 'split')
      listed = [...event.evidence.output.matchAll(/^task \d+: (.*)$/gm)]
        .map(([, title = '']) => title)
        .slice(1)
    if (event.type === 'visit.left' && event.step === 'file_tasks' && event.outcome === 'done')
      filed.push(...listed)
  }
  return filed
}

const LARGEST = 1024 * 1024

function textOf(file: string): string | { readonly problem: string } {
  if (!existsSync(file) || !statSync(file).isFile())
    return { problem: `${file} is not there. Write it before you say that you are done.` }
  if (statSync(file).size > LARGEST) return { problem: `${file} is too long to be read by anybody.` }
  const text = readFileSync(file, 'utf8')
  return text.trim() === '' ? { problem: `${file} is empty.` } : text
}
