/** The inbox in a real browser, with many decisions open: how soon the first card stands, how soon the next after a key, and how smoothly it scrolls. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { systemClock } from '../src/host/machine/clock.ts'
import { homeAt } from '../src/host/machine/home.ts'
import { createOperations } from '../src/host/operations.ts'
import { openQuietHost } from '../src/host/quiet-host.fixture.ts'
import { keysAt } from '../src/http/keys.fixture.ts'
import { startServer } from '../src/http/server.ts'
import { openWebFiles } from '../src/http/web-files.ts'
import { openSqliteJournal } from '../src/journal/index.ts'
import { raiseMany } from './inbox.ts'
import { type Spread, spreadOf } from './spread.ts'

export interface WebInboxTimes {
  /** Milliseconds from the address to the first card. */
  readonly firstCard: number
  /** From a key that answers to the next card. */
  readonly nextCard: Spread
  /** Between two frames while the list scrolls. */
  readonly frames: Spread
  readonly slowestFrame: number
  /** Of a hundred frames, those within 17 ms. */
  readonly smooth: number
}

const CHROMIUM = '/usr/bin/chromium'
const ANSWERS = 40

/** Null where there is no browser. */
export async function webInboxTimes(open: number): Promise<WebInboxTimes | null> {
  if (!existsSync(CHROMIUM)) return null
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  const home = homeAt(dir)
  const journal = await openSqliteJournal({ file: home.database })
  const host = openQuietHost({ journal, home, clock: systemClock, onBug: console.error })
  const by = { kind: 'person', name: 'bench' } as const
  await raiseMany(host.decisions(by), open)
  const server = await startServer({
    operationsFor: (actor) =>
      createOperations({ host, now: () => Date.now(), by: actor, compile: async () => ({ problems: [] }) }),
    keys: keysAt(home, { owner: 'bench', agents: host.agents }),
    version: '0',
    port: 0,
    mcp: { fetch: async () => new Response() },
    web: openWebFiles(resolve('dist/web')),
  })
  if ('problem' in server) throw new Error(server.problem)
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: CHROMIUM, args })
  try {
    const page = await browser.newPage({ viewport: { width: 1320, height: 860 } })
    await page.addInitScript(WATCH)
    await page.goto(server.createLoginLink())
    await page.waitForURL(/inbox/)
    return await measured(page, `${server.url}/inbox`)
  } finally {
    await browser.close()
    await server.close()
    await host.close()
    await journal.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measured(page: Page, address: string): Promise<WebInboxTimes> {
  await page.goto(address)
  await becomes(page, 'window.bench.firstCard !== null')
  const firstCard = (await page.evaluate('window.bench.firstCard')) as number
  // All that waits is there.
  await becomes(page, '/^[\\d,]+ wait/.test(document.querySelector("header h2")?.textContent ?? "")')
  for (let answer = 1; answer <= ANSWERS; answer++) {
    await page.keyboard.press('1')
    await becomes(page, `window.bench.nextCards.length >= ${answer}`)
  }
  const nextCards = (await page.evaluate('window.bench.nextCards')) as number[]
  const frames = (await page.evaluate(SCROLL)) as number[]
  const smooth = (100 * frames.filter((ms) => ms <= 17.5).length) / frames.length
  return {
    firstCard,
    nextCard: spreadOf(nextCards),
    frames: spreadOf(frames),
    slowestFrame: Math.max(...frames),
    smooth,
  }
}

/** Asked from outside: the page's own policy lets nothing in it evaluate a text. */
async function becomes(page: Page, condition: string): Promise<void> {
  while ((await page.evaluate(condition)) !== true) await pause(5)
}

/** In the page: when a card came, and after which key. */
const WATCH = `
window.bench = { firstCard: null, nextCards: [], pressedAt: null, headline: null }
addEventListener('keydown', () => { window.bench.pressedAt = performance.now() }, true)
addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  const { bench } = window
  const headline = document.querySelector('article h2')?.textContent ?? null
  if (headline === null || headline === bench.headline) return
  bench.headline = headline
  requestAnimationFrame(() => {
    if (bench.firstCard === null) bench.firstCard = performance.now()
    else if (bench.pressedAt !== null) bench.nextCards.push(performance.now() - bench.pressedAt)
    bench.pressedAt = null
  })
}).observe(document, { subtree: true, childList: true, characterData: true }))
`

/** In the page: the list from its top for three seconds, and the time between frames. */
const SCROLL = `new Promise((done) => {
  const list = document.querySelector('section[aria-label="What waits"] > div')
  const frames = []
  const began = performance.now()
  let last = null
  const step = (now) => {
    if (last !== null) frames.push(now - last)
    last = now
    list.scrollTop += 40
    if (now - began < 3000) requestAnimationFrame(step)
    else done(frames)
  }
  requestAnimationFrame(step)
})`
