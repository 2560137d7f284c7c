/** What the tests run as a process of its own: `MODE FILE`. Says on stdout what it has done, one line each. */
import { randomBytes } from 'node:crypto'
import { appendOf, happened } from '../contract/subject.fixture.ts'
import type { Journal } from '../journal.ts'
import { acquireHostLock } from './host-lock.ts'
import { openSqliteJournal } from './journal.ts'

const [mode, file] = process.argv.slice(2) as [string, string]

switch (mode) {
  case 'lock':
    await holdLock()
    break
  case 'write':
    await writeForever()
    break
  case 'fill':
    await writeUntilFull()
    break
  default:
    throw new Error(`no such mode: ${mode}`)
}

async function holdLock(): Promise<void> {
  const lock = acquireHostLock({ file })
  say(lock === null ? 'refused' : 'held')
  if (lock === null) return
  process.stdin.once('end', () => lock.release())
  process.stdin.resume()
}

/** Ten writers; each says what was acknowledged only after it was. */
async function writeForever(): Promise<void> {
  const journal = await openSqliteJournal({ file })
  const writer = async (stream: string) => {
    for (let version = (await journal.read(stream, 0)).length; ; version += 2) {
      await journal.append(fullAppend(stream, version))
      say(`${stream} ${version + 2}`)
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, i) => writer(`run/${i}`)))
}

/** Two events, a ticket and a row that belong together. */
function fullAppend(stream: string, expected: number) {
  const nth = expected / 2
  return appendOf({
    stream,
    expected,
    events: [happened('began', { nth, pad: 'x'.repeat(200) }), happened('ended', { nth })],
    tickets: [{ id: `${stream}/${nth}`, stream, kind: 'act', dueAt: nth, data: null }],
    rows: [{ model: 'runs', key: stream, facet: 'open', rank: nth, data: { nth } }],
  })
}

/** With a limit on the size of its files: appends until one is rejected, and tells what is true then. */
async function writeUntilFull(): Promise<void> {
  process.on('SIGXFSZ', () => undefined)
  const journal = await openSqliteJournal({ file })
  for (let version = 0; ; version++) {
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((stream) => appendLarge(journal, stream, version)),
    )
    const rejected = results.filter(({ status }) => status === 'rejected').length
    if (rejected === 0) continue
    say(`rejected ${rejected} at ${version}`)
    const lengths = await Promise.all(['a', 'b', 'c'].map((stream) => journal.read(stream, 0)))
    say(`lengths ${lengths.map(({ length }) => length).join()}`)
    const stale = await journal.append(appendOf({ stream: 'a', expected: version + 1 }))
    say(`head ${stale.done ? 'moved' : stale.version}`)
    say(`tickets ${(await journal.claim({ limit: 1_000, now: 0, leaseMs: 1, kinds: null })).length}`)
    return process.exit(0)
  }
}

function appendLarge(journal: Journal, stream: string, expected: number) {
  const events = [happened('step', randomBytes(3_000).toString('hex'))]
  const tickets = [{ id: `${stream}/${expected}`, stream, kind: 'act', dueAt: 0, data: null }]
  return journal.append(appendOf({ stream, expected, events, tickets }))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
