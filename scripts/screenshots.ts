/**
 * Pictures of every screen, light, dark and as a phone has it, of a host with runs and decisions that really happened: `npm run screenshots [FOLDER]`, by
 * default docs/images.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { FILES, ISSUE, RUNBOOK_FILE } from '../src/cli/demo/project.ts'
import type { DoorFile } from '../src/cli/hosting/door-file.ts'
import { layOut } from '../src/cli/project/scratch-repository.ts'

interface Shot {
  readonly name: string
  readonly path: string
  /** What must be there first. */
  readonly until: (page: Page) => Promise<unknown>
}

const SHOTS: readonly Shot[] = [
  { name: 'inbox', path: '/inbox', until: (page) => page.locator('.diff').first().waitFor() },
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

async function ask<T>({ url, token }: DoorFile, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return (await (await fetch(`${url}/api/v1${path}`, init)).json()) as T
}

/** A run that asks to be shipped, agents outside that ask, one that sleeps, and an answer that was acted on. */
async function fill(door: DoorFile): Promise<void> {
  const runbook = join(repo, RUNBOOK_FILE)
  await ask(door, '/runs', { runbook, dir: repo, issue: ISSUE })
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
  for (;;) {
    const { rows } = await ask<{ rows: { cause: string }[] }>(door, '/decisions')
    if (rows.some(({ cause }) => cause === 'step')) return
    await pause(100)
  }
}

async function shoot(door: DoorFile): Promise<void> {
  mkdirSync(target, { recursive: true })
  const executablePath = env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  for (const { look, width, height, theme } of LOOKS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      hasTouch: look === 'phone',
      isMobile: look === 'phone',
      deviceScaleFactor: look === 'phone' ? 2 : 1,
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(error))
    const { path } = await ask<{ path: string }>(door, '/login/links', {})
    await page.goto(`${door.url}${path}`)
    await page.waitForURL(/inbox/)
    const [first] = (await ask<{ rows: { id: string; cause: string }[] }>(door, '/decisions')).rows.filter(
      ({ cause }) => cause === 'step',
    )
    for (const shot of SHOTS) {
      await page.goto(`${door.url}${shot.path}${shot.name === 'inbox' ? `/${first?.id}` : ''}`)
      await shot.until(page)
      await pause(400)
      const file = join(target, `${shot.name}-${look}.png`)
      await page.screenshot({ path: file })
      console.log(file)
    }
    await context.close()
  }
  await browser.close()
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

const target = resolve(argv[2] ?? 'docs/images')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-pictures-')))
const repo = join(folder, 'platform-signs')
const home = join(folder, 'home')
const variables = { ...env, SIGNALBOX_HOME: home, SIGNALBOX_CONFIG: join(folder, 'config') }
await layOut(repo, { files: FILES, commit: 'signs: titles as addresses' })
const host = spawn(execPath, [resolve('bin/signalbox'), 'up', '--port', '0'], {
  env: variables,
  cwd: repo,
  stdio: 'ignore',
})
try {
  const door = await doorOf()
  await fill(door)
  await shoot(door)
} finally {
  host.kill('SIGTERM')
  await new Promise((ended) => host.once('close', ended))
  rmSync(folder, { recursive: true, force: true })
}
