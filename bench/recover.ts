/** A host that starts on a home full of waiting runs: how long until it serves, how large it is, what it burns. */
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { DECISIONS, PENDING } from '../src/host/inbox/rows.ts'
import { systemClock } from '../src/host/machine/clock.ts'
import { homeAt } from '../src/host/machine/home.ts'
import { openQuietHost } from '../src/host/quiet-host.fixture.ts'
import { openSqliteJournal } from '../src/journal/index.ts'

const began = performance.now()
const home = homeAt(process.argv[2]!)
const journal = await openSqliteJournal({ file: home.database })
const host = openQuietHost({ journal, home, clock: systemClock, onBug: console.error })
await host.work()
const waiting = await journal.list({ model: DECISIONS, facet: PENDING, before: null, limit: 50 })
const readyMs = performance.now() - began
const before = process.cpuUsage()
await pause(Number(process.argv[3] ?? 3000))
const burnt = process.cpuUsage(before)
const memory = process.memoryUsage().rss
await host.close()
await journal.close()
console.log(
  JSON.stringify({
    readyMs,
    shown: waiting.length,
    rssMb: memory / 1024 / 1024,
    cpuMs: (burnt.user + burnt.system) / 1000,
  }),
)
