/**
 * Pictures of every screen, light, dark and as a phone has it, of a host with runs and decisions that really happened: `npm run screenshots [FOLDER [SCREEN]]`,
 * by default docs/images.
 */

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { FILES, ISSUE, RUNBOOK_FILE } from '../src/cli/demo/project.ts'
import type { DoorFile } from '../src/cli/hosting/door-file.ts'
import { layOut } from '../src/cli/project/scratch-repository.ts'
import { fetchOver } from '../src/http/socket-fetch.fixture.ts'

interface Shot {
  readonly name: string
  readonly path: (told: Told) => string
  /** What must be there first. */
  readonly until: (page: Page) => Promise<unknown>
}

/** Of what was filled in: the run that is looked at, and what it asks. */
interface Told {
  readonly run: string
  readonly decision: string
}

const shown = (page: Page, text: RegExp | string): Promise<void> => page.getByText(text).first().waitFor()

const SHOTS: readonly Shot[] = [
  {
    name: 'inbox',
    path: ({ decision }) => `/inbox/${decision}`,
    until: (page) => page.locator('.diff').first().waitFor(),
  },
  { name: 'board', path: () => '/board/first-fix', until: (page) => shown(page, /waits for 4/) },
  {
    name: 'start',
    path: () => '/board/first-fix',
    until: async (page) => {
      await page.getByRole('button', { name: /^Start on 6/ }).click()
      await shown(page, 'Worst case')
    },
  },
  { name: 'runs', path: () => '/runs', until: (page) => shown(page, 'The board forgets its last line') },
  {
    name: 'run',
    path: ({ run }) => `/runs/${run}`,
    until: (page) => shown(page, 'Small, correct, and both cases are tested.'),
  },
  { name: 'runbook', path: () => '/runbooks/first-fix', until: (page) => shown(page, 'The text') },
  {
    name: 'settings',
    path: () => '/settings/sandbox',
    until: (page) => page.locator('main :is(dl, table, ul)').first().waitFor(),
  },
]

const LOOKS = [
  { look: 'light', width: 1320, height: 860, theme: 'light' },
  { look: 'dark', width: 1320, height: 860, theme: 'dark' },
  { look: 'phone', width: 390, height: 844, theme: 'light' },
] as const

async function doorOf(): Promise<DoorFile> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(home, 'host.json'), 'utf8')) as DoorFile
    } catch {
      await pause(50)
    }
  }
}

async function ask<T>(_: DoorFile, path: string, body?: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return (await (await fetchOver(join(home, 'host.sock'))(`/api/v1${path}`, init)).json()) as T
}

/** Runs in all places of a flow, agents outside that ask, one that sleeps, and an answer that was acted on. */
async function fill(door: DoorFile): Promise<Told> {
  const raise = async (decision: object, agent: string): Promise<string> =>
    (await ask<{ id: string }>(door, '/decisions', { decision, asker: { agent } })).id
  for (const picked of ['npm', 'npm', 'pnpm', 'npm']) {
    const id = await raise(PACKAGES, 'dev')
    await ask(door, `/decisions/${id}/answer`, { pick: picked })
    await ask(door, `/decisions/${id}/wait?seconds=0`)
    if (picked === 'npm') await ask(door, `/decisions/${id}/acted`, { did: 'npm install' })
  }
  await raise(PARSER, 'dev')
  for (const agent of ['ops', 'ops-2', 'ops-3']) await raise(MIGRATION, agent)
  const asleep = await raise({ ...PARSER, headline: 'Rename the public endpoint?' }, 'api')
  await ask(door, `/decisions/${asleep}/snooze`, {
    until: new Date(Date.now() + 2 * 3_600_000).toISOString(),
  })
  for (const [issue, pick] of [
    ['2', 'ship'],
    ['3', 'drop'],
  ] as const) {
    const run = await begin(door, issue)
    await ask(door, `/decisions/${await asked(door, run)}/answer`, { pick })
  }
  const run = await begin(door, ISSUE)
  const decision = await asked(door, run)
  script('dev', { step: 'develop' }, [
    { say: 'The night trains are on the next day. Looking at where the board sorts.' },
    { run: 'grep -rn sort src' },
    { hang: true },
  ])
  await prompted(door, await begin(door, '4'), 'develop')
  writeFileSync(join(repo, '.signalbox/dev.json'), PRICED['.signalbox/dev.json']!)
  script('reviewer', { step: 'review' }, [{ say: 'Reading the change.' }, { hang: true }])
  await prompted(door, await begin(door, '5'), 'review')
  return { run, decision }
}

const begin = async (door: DoorFile, issue: string): Promise<string> => {
  const order = { runbook: join(repo, RUNBOOK_FILE), dir: repo, issue }
  const { run } = await ask<{ run?: string }>(door, '/runs', order)
  if (run === undefined) throw new Error(`issue ${issue} was not started`)
  return run
}

const asked = (door: DoorFile, run: string): Promise<string> =>
  found(async () => {
    const { rows } = await ask<{ rows: { id: string; run: string | null; cause: string }[] }>(
      door,
      '/decisions',
    )
    return rows.find((row) => row.run === run && row.cause === 'step')?.id
  })

/** By then it has its script. */
const prompted = (door: DoorFile, run: string, step: string): Promise<unknown> =>
  found(async () => {
    const events = await ask<{ type: string; data: { step?: string } }[]>(door, `/runs/${run}/events`)
    return events.find(({ type, data }) => type === 'agent.prompted' && data.step === step)
  })

async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const there = await look()
    if (there !== undefined) return there
    await pause(100)
  }
}

/** What an agent does from now on, in place of its script of the demo. */
function script(agent: string, when: object, turn: readonly object[]): void {
  writeFileSync(
    join(repo, `.signalbox/${agent}.json`),
    JSON.stringify({ sessions: [{ when, turns: [turn] }] }),
  )
}

/** The demo's agents, with what a model would have cost. */
const PRICED = Object.fromEntries(
  Object.entries(FILES).map(([path, text]) => [
    path,
    /(dev|reviewer)\.json$/.test(path) ? priced(text) : text,
  ]),
)

function priced(text: string): string {
  const { sessions } = JSON.parse(text) as { sessions: { when: object; turns: object[][] }[] }
  let tokens = 21_000
  const turn = (actions: object[]): object[] => {
    tokens += 3_400
    return [{ usage: { costUsd: tokens / 100_000, tokens } }, ...actions]
  }
  return JSON.stringify({ sessions: sessions.map(({ when, turns }) => ({ when, turns: turns.map(turn) })) })
}

/** Issue → its head. */
const ISSUES: Readonly<Record<string, string>> = {
  '2': 'title: Two signs with one address\nlabels: [bug]',
  '3': 'title: Umlauts are left out of addresses',
  '4': 'title: Trains after midnight are sorted before the evening\nlabels: [bug]',
  '5': 'title: The board forgets its last line',
  '6': 'title: Signs for platforms that are closed',
  '7': 'title: Show delays of night trains\ndepends-on: [4]',
  '8': 'title: A sign for lost property\nlabels: [wish]',
}

const ISSUE_FILES = Object.fromEntries(
  Object.entries(ISSUES).map(([id, head]) => [
    `.signalbox/issues/${id}.md`,
    `---\n${head}\nstatus: Todo\n---\nAs the people at platform ${id} tell it.\n`,
  ]),
)

async function shoot(door: DoorFile, told: Told): Promise<void> {
  mkdirSync(target, { recursive: true })
  const executablePath = env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const press = await browser.newPage()
  for (const { look, width, height, theme } of LOOKS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      hasTouch: look === 'phone',
      isMobile: look === 'phone',
      deviceScaleFactor: look === 'phone' ? 2 : 1,
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(error))
    const { path } = await ask<{ path: string }>(door, '/login/links', {})
    await page.goto(`${door.url}${path}`)
    await page.waitForURL(/inbox/)
    for (const shot of SHOTS.filter(({ name }) => wanted === undefined || name === wanted)) {
      await page.goto(`${door.url}${shot.path(told)}`)
      await shot.until(page)
      await pause(500)
      const file = join(target, `${shot.name}-${look}.webp`)
      writeFileSync(file, await pressed(press, await page.screenshot()))
      console.log(file)
    }
    await context.close()
  }
  await browser.close()
}

/** As small as a browser makes it, and nobody sees a difference. */
async function pressed(press: Page, picture: Buffer): Promise<Buffer> {
  const small = await press.evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 })
    const made = new Uint8Array(await blob.arrayBuffer())
    return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(''))
  }, picture.toString('base64'))
  return Buffer.from(small, 'base64')
}

const PACKAGES = {
  headline: 'Use pnpm or npm?',
  question: 'Which package manager should the new service use?',
  kind: '',
  options: [
    { key: 'npm', label: 'npm', body: 'What the other services use.', confidence: 0.9 },
    { key: 'pnpm', label: 'pnpm', body: 'Faster installs.' },
  ],
  recommended: 'npm',
}

const PARSER = {
  headline: 'Which parser for the config loader?',
  question: 'The config grows comments. Keep JSON, or take a parser that knows them?',
  context:
    'Both are in the lock file already.\n\n## Why now\nThree users asked for comments.\n\n## Risk\n`jsonc` is small; `yaml` brings anchors.',
  options: [
    { key: 'jsonc', label: 'JSON with comments', body: 'Keep the format, allow comments.', confidence: 0.7 },
    { key: 'yaml', label: 'YAML', body: 'Take the parser that runbooks use.' },
  ],
  recommended: 'jsonc',
}

const MIGRATION = {
  headline: 'Run migrations against staging?',
  question: 'Two migrations are pending. Run them now?',
  options: [
    {
      key: 'run',
      label: 'Run them',
      body: 'DROP TABLE sessions_old; then create the index.',
      reversible: false,
    },
    { key: 'wait', label: 'Wait', body: 'Leave staging as it is.' },
  ],
  recommended: 'wait',
  urgency: 'low',
}

const [, , into = 'docs/images', wanted] = argv
const target = resolve(into)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-pictures-')))
const repo = join(folder, 'platform-signs')
const home = join(folder, 'home')
// Pictures tell nothing of the machine they were made on.
const variables = {
  ...env,
  HOME: join(folder, 'user'),
  PATH: [dirname(execPath), '/usr/bin', '/bin'].join(':'),
  SIGNALBOX_HOME: home,
  SIGNALBOX_CONFIG: join(folder, 'config'),
}
await layOut(repo, { files: { ...PRICED, ...ISSUE_FILES }, commit: 'signs: titles as addresses' })
const host = spawn(execPath, [resolve('bin/signalbox'), 'up', '--port', '0'], {
  env: variables,
  cwd: repo,
  stdio: 'ignore',
})
try {
  const door = await doorOf()
  await shoot(door, await fill(door))
} finally {
  host.kill('SIGTERM')
  await new Promise((ended) => host.once('close', ended))
  rmSync(folder, { recursive: true, force: true })
}
