/** Runs that are started from the board: on an issue by keyboard or drag, on a text, and what the host refuses. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser, type Web } from './browser.fixture.ts'

const ISSUES = {
  '1': 'title: Fix the login\nlabels: [bug]',
  '2': 'title: Make it fast\ndepends-on: [1]',
}

const fileIssues = ({ project }: Web): void => {
  for (const [id, front] of Object.entries(ISSUES))
    project.write(`.signalbox/issues/${id}.md`, `---\n${front}\n---\n\nThe body of ${id}.\n`)
}

const runsOf = async (web: Web) =>
  (await web.ask('GET', '/runs?all=true')) as { run: string; issue: { id: string } | null; name: string }[]

const todoOn = (page: Page) => page.getByRole('region', { name: 'To do' })

describe.skipIf(CHROMIUM === null)('a run that is started from the board', () => {
  const open = useBrowser()

  it('[U14] [W35] on an issue, by keyboard, once a runbook is chosen and the page has said what will be run', async () => {
    const web = await open()
    fileIssues(web)
    const page = await web.visit('/board')
    await todoOn(page).getByText('Fix the login').waitFor()
    await todoOn(page).getByText('2 · waits for 1').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog')
    const said = dialog.getByRole('region', { name: 'What will be run' })
    await dialog.getByText('Choose a runbook to see what will be run.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Start it' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Runbook').selectOption('ask')
    await said.getByText(/^main at [0-9a-f]{9}$/).waitFor()
    await said.getByText('1, Fix the login').waitFor()
    await said.getByText(/\d+ visits?, 0 dispatches, \d+ questions? to people/).waitFor()
    expect(await runsOf(web)).toEqual([])
    await dialog.getByLabel('Runbook').press('Enter')
    const card = page.getByRole('region', { name: 'sign_off' }).getByRole('link')
    await card.getByText('Fix the login').waitFor()
    await card.getByText('Ship this?').waitFor()
    await todoOn(page).getByText('Fix the login').waitFor({ state: 'detached' })
    expect(await runsOf(web)).toMatchObject([{ name: 'ask', issue: { id: '1' } }])
    expect(page.url()).toContain('/board/ask')
  })

  it('[U14] is refused in the words of `signalbox run`, and can be looked at again', async () => {
    const web = await open()
    fileIssues(web)
    web.project.write('README.md', 'changed\n')
    const { out } = await web.project.run('run', 'ask', '--issue', '2', '--detach')
    const printed = out.split('\n').flatMap((line) => /✗ (.+)$/.exec(line)?.[1] ?? [])
    expect(printed).toHaveLength(1)
    const page = await web.visit('/board')
    await todoOn(page).getByRole('button', { name: 'Start on 2, Make it fast' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Runbook').selectOption('ask')
    const refusals = dialog.getByRole('alert').getByRole('listitem')
    await refusals.first().waitFor()
    expect((await refusals.allTextContents()).map((text) => text.replace(/^✗ /, ''))).toEqual(printed)
    expect(await dialog.getByRole('button', { name: 'Start it' }).isDisabled()).toBe(true)
    web.project.git('checkout', 'README.md')
    await dialog.getByRole('button', { name: 'Look again' }).click()
    await dialog.getByText(/^✗ 2 depends on what is not done: 1 is Todo/).waitFor()
    web.project.write('.signalbox/issues/1.md', '---\ntitle: Fix the login\nstatus: Done\n---\n')
    await dialog.getByRole('button', { name: 'Look again' }).click()
    await dialog.getByText('2, Make it fast').waitFor()
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    // What is in the way only now is told by the start itself.
    web.project.write('README.md', 'changed again\n')
    await dialog.getByRole('button', { name: 'Start it' }).click()
    await dialog.getByText('The run was not started:').waitFor()
    await dialog.getByText(/There are changes that are not committed: README.md/).waitFor()
    expect(await runsOf(web)).toEqual([])
  })

  it('[U14] by a card of what is to be done that is put into the flow', async () => {
    const web = await open()
    fileIssues(web)
    await web.project.run('run', 'ask', '--detach')
    const page = await web.visit('/board')
    await page.getByRole('region', { name: 'sign_off' }).getByRole('link').waitFor()
    const card = todoOn(page).getByRole('button', { name: 'Start on 1, Fix the login' })
    await card.dragTo(page.getByRole('region', { name: 'sign_off' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1, Fix the login').first().waitFor()
    expect(await dialog.getByLabel('Runbook').inputValue()).toBe(
      join(web.project.repo, '.signalbox/ask.yaml'),
    )
    await dialog.getByRole('button', { name: 'Start it' }).click()
    await page.getByRole('region', { name: 'sign_off' }).getByText('Fix the login').waitFor()
  })

  it('[U14] on a text, which is filed as an issue first', async () => {
    const web = await open()
    const page = await web.visit('/board')
    await todoOn(page).waitFor()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog')
    expect(
      await dialog.getByLabel(/^What is to be done/).evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await dialog.getByLabel('Runbook').selectOption('ask')
    await dialog.getByRole('region', { name: 'What will be run' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Start it' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/^What is to be done/).pressSequentially('# Say hello\n\nTo everybody.')
    await dialog.getByLabel('what (optional)').fill('the greeting')
    await dialog.getByLabel('what (optional)').press('Enter')
    await page.getByRole('region', { name: 'sign_off' }).getByText('Ship the greeting?').waitFor()
    const file = join(web.project.repo, '.signalbox/issues/1.md')
    await until(async () => existsSync(file), 'the issue is there')
    expect(readFileSync(file, 'utf8')).toContain('title: Say hello')
    expect(await runsOf(web)).toMatchObject([{ issue: { id: '1', title: 'Say hello' } }])
  })

  it('[U14] is the owner’s alone to start, and so is a look into repositories', async () => {
    const web = await open({ people: ['ana'] })
    fileIssues(web)
    await web.project.run('run', 'ask', '--detach')
    const page = await web.visit('/board', { as: 'ana' })
    await page.getByRole('region', { name: 'sign_off' }).getByRole('link').waitFor()
    expect(await todoOn(page).count()).toBe(0)
    // A session counts only with the proof that its page sends.
    const sent = page.waitForRequest((request) => 'x-signalbox' in request.headers())
    await page.reload()
    const headers = { 'x-signalbox': (await sent).headers()['x-signalbox']! }
    const asked = async (path: string) =>
      page.evaluate(async ([to, init]) => (await fetch(to, init)).status, [
        `/api/v1${path}`,
        { headers },
      ] as const)
    expect(await asked('/me')).toBe(200)
    expect(await asked('/repositories')).toBe(403)
    expect(await asked(`/repositories/look?dir=${encodeURIComponent(web.project.repo)}`)).toBe(403)
  })
})
