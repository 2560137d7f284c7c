/** The board and the runbook in the browser. */
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser } from './browser.fixture.ts'

describe.skipIf(CHROMIUM === null)('a flow in a browser', () => {
  const open = useBrowser()

  it('[U11] is a board whose card, put elsewhere, says first what that will do', async () => {
    const web = await open()
    await web.project.run('run', 'ask', '--detach')
    const page = await web.visit('/board')
    const from = page.getByRole('region', { name: 'sign_off' })
    const card = from.getByRole('link')
    await card.waitFor()
    await card.dragTo(page.getByRole('region', { name: 'later' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The question of sign_off is withdrawn. It goes on at later.').waitFor()
    await dialog.getByRole('button', { name: 'Move it' }).click()
    await page.getByRole('region', { name: 'done' }).getByRole('link').waitFor()
    const [run] = (await web.ask('GET', '/runs?all=true')) as { run: string; end: string }[]
    expect(run).toMatchObject({ end: 'done' })
    const events = (await web.ask('GET', `/runs/${run!.run}/events`)) as { type: string }[]
    expect(events.map(({ type }) => type)).toContain('run.moved')
  })

  it('[U11] is proved on its page, with where every outcome leads', async () => {
    const web = await open()
    await web.project.run('run', 'fails', '--detach')
    await until(async () => ((await web.ask('GET', '/runs?all=true')) as unknown[]).length === 1, 'the run')
    const page = await web.visit('/runbooks/fails')
    await page.getByText('proved', { exact: true }).waitFor()
    await page
      .getByText(/1 visits?, 0 dispatches/)
      .first()
      .waitFor()
    const rows = page.getByRole('row')
    await rows.filter({ hasText: 'fail' }).filter({ hasText: 'abandoned' }).first().waitFor()
    const before = await rows.count()
    await page.getByRole('checkbox').check()
    expect(await rows.count()).toBeGreaterThan(before)
    await rows.getByRole('link', { name: 'fail' }).first().click()
    const lit = page.getByRole('region', { name: 'The text' }).locator('[aria-current="location"]')
    await lit.getByText('steps: { test: { check: "echo broken; false"').waitFor()
    expect(page.url()).toMatch(/line=3$/)
  })
})
