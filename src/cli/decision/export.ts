/**
 * `decision export`: every decision with its whole record, one a line, oldest page last as the list has them; then a line
 * that says where the streams of the record end.
 */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type LeftOut, orLeftOut } from '../../host/inbox/left-out.ts'
import type { Operations } from '../../host/operations.ts'
import { recordLine } from '../doctor/exported-heads.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { plural } from '../terminal/terminal.ts'
import type { AtDoor } from './find.ts'

const PAGE = 200
/** Asked for at once. */
const TOGETHER = 16

export async function exportDecisions(
  { out }: { readonly out?: string },
  { terminal, operations }: AtDoor,
): Promise<number> {
  const sink = out === undefined ? null : await openSink(out)
  if (sink !== null && 'problem' in sink) return complain(terminal, sink.problem, EXIT.failed)
  let count = 0
  const leftOut: LeftOut[] = []
  const write = async (line: unknown): Promise<void> => {
    if (sink === null) terminal.write(JSON.stringify(line))
    else await sink.write(`${JSON.stringify(line)}\n`)
  }
  for await (const record of allRecords(operations)) {
    if ('problem' in record) {
      terminal.clearProgress()
      await sink?.close()
      return complain(terminal, `The export is not whole. ${record.problem}`, EXIT.failed)
    }
    await write(record)
    if ('leftOut' in record) {
      leftOut.push(record)
      continue
    }
    count++
    terminal.progress(`${plural(count, 'decision')} so far`)
  }
  terminal.clearProgress()
  // Last, and of what was there before it: somebody else can hold the record against it one day.
  await write(recordLine(await operations.heads()))
  if (sink !== null) {
    const trouble = await sink.close()
    if (trouble !== null) return complain(terminal, `${out} could not be written: ${trouble}`, EXIT.failed)
    terminal.write(`${plural(count, 'decision')} written to ${out}`)
  }
  const [first] = leftOut
  if (first === undefined) return EXIT.ok
  const ids = leftOut.map((each) => each.leftOut.decision).join(', ')
  return complain(
    terminal,
    `${plural(leftOut.length, 'decision')} left out (${ids}). ${first.leftOut.problem}`,
    EXIT.failed,
  )
}

async function* allRecords({ decisions }: Operations) {
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof decisions.list>> = await decisions.list({
      status: 'all',
      snoozed: true,
      cursor,
      limit: PAGE,
    })
    if ('problem' in page) {
      yield page
      return
    }
    for (let at = 0; at < page.rows.length; at += TOGETHER)
      yield* await Promise.all(
        page.rows.slice(at, at + TOGETHER).map(({ id }) => orLeftOut(id, () => decisions.show(id))),
      )
    if (page.next === null) return
    cursor = page.next
  }
}

interface Sink {
  write(text: string): Promise<void>
  /** What went wrong, if anything did. */
  close(): Promise<string | null>
}

async function openSink(file: string): Promise<Sink | { readonly problem: string }> {
  const stream = createWriteStream(file)
  let trouble: string | null = null
  stream.on('error', (error: NodeJS.ErrnoException) => {
    trouble = error.code ?? error.message
  })
  try {
    await once(stream, 'open')
  } catch {
    return { problem: `${file} cannot be written to (${trouble}).` }
  }
  return {
    write: async (text) => {
      if (!stream.write(text) && trouble === null)
        await Promise.race([once(stream, 'drain'), once(stream, 'close')])
    },
    close: async () => {
      stream.end()
      if (!stream.closed) await once(stream, 'close')
      return trouble
    },
  }
}
