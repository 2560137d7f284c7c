/**
 * A real browser on a real host: `signalbox up` in a process of its own on a repository with scripted agents, and Chromium as Debian has it. One
 * browser serves a file; each page has a profile of its own.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { DoorFile } from '../../src/cli/hosting/door-file.ts'
import { fetchOver } from '../../src/http/socket-fetch.fixture.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { until } from '../../src/until.fixture.ts'
import { type Going, openProject, type Project } from '../runs.fixture.ts'

/** Null where there is none: scripts/prepare-tests.mjs installs it where it may. */
export const CHROMIUM =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync) ?? null

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Web {
  readonly project: Project
  readonly url: () => string
  /** Asks the host as its owner, as a script would. */
  readonly ask: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>
  /** Puts a decision from outside to people; gives back its id. */
  readonly raise: (over?: object) => Promise<string>
  /** A page of a browser that nobody used before, logged in. */
  readonly visit: (path?: string, look?: Look) => Promise<Page>
  readonly kill: () => Promise<void>
  /** At the same address. */
  readonly start: () => Promise<void>
}

export interface Look {
  /** Somebody on the list instead of the owner. */
  readonly as?: string
  readonly width?: number
  readonly height?: number
  readonly theme?: 'dark' | 'light'
}

export interface WebOptions {
  /** How long answers are held; not at all by default, so that no test waits. */
  readonly hold?: string
  /** The user's config beside what the project has. */
  readonly people?: readonly string[]
  /** More of it. */
  readonly config?: (project: Project) => string
}

/** For each file that looks: gives a function that opens a host with a browser. */
export function useBrowser(): (options?: WebOptions) => Promise<Web> {
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: FLAGS })
  })
  afterAll(() => browser?.close())
  return (options = {}) => openWeb(browser!, options)
}

async function openWeb(
  browser: Browser,
  { people = [], hold = '0s', config = () => '' }: WebOptions,
): Promise<Web> {
  const project = openProject()
  appendFileSync(
    join(dirname(project.home), 'config/config.yaml'),
    `people: { ${people.map((name) => `${name}: {}`).join(', ')} }\nanswers: { hold: ${hold} }\n${config(project)}`,
  )
  let host: Going
  let door: DoorFile
  const start = async (port = '0'): Promise<void> => {
    host = project.begin('up', '--port', port)
    await host.says('Signalbox is up at')
    door = JSON.parse(readFileSync(join(project.home, 'host.json'), 'utf8')) as DoorFile
  }
  await start()
  const ask: Web['ask'] = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetchOver(join(project.home, 'host.sock'))(`/api/v1${path}`, {
      method,
      headers,
      ...sent,
    })
    return response.json()
  }
  return {
    project,
    url: () => door.url,
    ask,
    raise: async (over = {}) => {
      const made = await ask('POST', '/decisions', { decision: { ...EXAMPLE_DECISION, ...over } })
      return (made as { readonly id: string }).id
    },
    visit: async (path = '/inbox', { as = null, width = 1320, height = 860, theme = 'light' } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        ...(width < 500 ? { hasTouch: true, isMobile: true } : {}),
        colorScheme: theme,
        reducedMotion: 'reduce',
      })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      // Whatever breaks in the page breaks the test.
      const broken: string[] = []
      page.on('pageerror', (error) => broken.push(error.message))
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) broken.push(message.text())
      })
      onTestFinished(() => expect(broken).toEqual([]))
      const { path: link } = (await ask('POST', '/login/links', { person: as })) as { readonly path: string }
      await page.goto(`${door.url}${link}`)
      await page.waitForURL(/\/inbox/)
      if (path !== '/inbox') await page.goto(`${door.url}${path}`)
      return page
    },
    kill: async () => {
      host.signal('SIGKILL')
      await host.ended
    },
    start: async () => {
      const { port } = new URL(door.url)
      // The port is free again when the last of its sockets is gone.
      await until(async () => (await fetch(door.url).catch(() => null)) === null, 'the port is free')
      await start(port)
    },
  }
}
