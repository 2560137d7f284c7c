/** Axe complains of nothing: on any screen, with data and with what can stand before it, in both themes, at a desk and on a phone. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser, type Web } from './browser.fixture.ts'

const CONTEXT = 'Two ways.\n\n## Why now\nBecause of `this`.\n\n## Risk\n| a | b |\n|---|---|\n| 1 | 2 |\n'

const PANEL = '[role=tabpanel]'

/** What is the same in both themes is looked at in one: in the dark only the colours. */
async function complaintsOn(page: Page, part = 'html'): Promise<readonly string[]> {
  const inLight = await complaintsOf(axe(page, part))
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await complaintsOf(axe(page, part).withRules(['color-contrast', 'link-in-text-block']))
  await page.emulateMedia({ colorScheme: 'light' })
  return [...inLight, ...inDark]
}

async function complaintsOf(builder: AxeBuilder): Promise<readonly string[]> {
  const { violations } = await builder.analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

const axe = (page: Page, part = 'html'): AxeBuilder => new AxeBuilder({ page }).include(part)

/** At a desk and on a phone, where nothing may be wider than it. */
async function isSound(page: Page, what: string): Promise<void> {
  expect(await complaintsOn(page), what).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await complaintsOf(axe(page)), `${what} on a phone`).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1320, height: 860 })
}

/** What a key puts before everything else. */
async function dialogIsSound(page: Page, key: string, sign: RegExp | string): Promise<void> {
  await page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(sign).first().waitFor()
  expect(await complaintsOn(page, 'dialog'), key).toEqual([])
  await page.keyboard.press('Escape')
  await until(async () => (await dialog.count()) === 0, 'the dialog is closed')
}

const runOf = async (web: Web, name: string): Promise<string> => {
  await web.project.run('run', name, '--detach')
  const rows = (await web.ask('GET', '/runs?all=true')) as { readonly run: string; readonly name: string }[]
  return rows.find((row) => row.name === name)!.run
}

describe.skipIf(CHROMIUM === null)('axe complains of nothing', () => {
  const open = useBrowser()

  it('in the inbox, nor in what stands before it', async () => {
    const web = await open({ people: ['maria'] })
    const id = await web.raise({ context: CONTEXT, evidence: { log: 'a\nb' } })
    await web.raise({ headline: 'Another?' })
    const page = await web.visit(`/inbox/${id}`)
    await page.getByText('Why now').waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    await page.keyboard.press('n')
    await isSound(page, 'a card')
    await page.keyboard.press('Escape')
    await dialogIsSound(page, 's', 'For an hour')
    await dialogIsSound(page, 'a', 'Whoever is there')
    await dialogIsSound(page, '?', 'Next decision')
    await dialogIsSound(page, 'Control+k', 'Go to Runs')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${web.url()}/inbox`)
    await page.getByText('Another?').first().waitFor()
    expect(await complaintsOn(page), 'the list on a phone').toEqual([])
  })

  it('among runs', async () => {
    const web = await open()
    await runOf(web, 'ask')
    await runOf(web, 'fails')
    const page = await web.visit('/runs')
    await until(
      async () => (await page.getByRole('list', { name: 'Runs' }).getByRole('link').count()) === 2,
      'both',
    )
    await isSound(page, 'runs')
    await page.goto(`${web.url()}/runs?status=asleep`)
    await page.getByText('No run is like that').waitFor()
    expect(await complaintsOn(page), 'no runs').toEqual([])
  })

  it('in a run, in any of its tabs', async () => {
    const web = await open()
    const asks = await runOf(web, 'ask')
    const build = await runOf(web, 'build')
    await until(
      async () =>
        ((await web.ask('GET', `/runs/${build}`)) as { row: { status: string } }).row.status === 'ended',
      'the run ends',
    )
    const page = await web.visit(`/runs/${build}`)
    await page.getByText('Made it.').waitFor()
    await isSound(page, 'a run')
    for (const tab of ['Diff', 'Brief', 'Evidence', 'Handoffs', 'Decisions', 'Cost']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
      await until(
        async () => (await page.locator('[role=tabpanel] [class*=bar]').count()) === 0,
        `${tab} is there`,
      )
      // What has colours of its own is looked at in the dark, too.
      const look = ['Diff', 'Evidence'].includes(tab)
        ? complaintsOn(page, PANEL)
        : complaintsOf(axe(page, PANEL))
      expect(await look, tab).toEqual([])
    }
    await page.goto(`${web.url()}/runs/${asks}`)
    await page.getByRole('heading', { name: 'ask' }).waitFor()
    await dialogIsSound(page, 'x', /ended|cancel/i)
  })

  it('on a board, nor on the page of a runbook', async () => {
    const web = await open()
    web.project.write(
      'issues/S1-login.md',
      '---\nid: S1-login\ntitle: Repair the login\nstatus: todo\n---\n\nIt is broken.\n',
    )
    web.project.git('add', '-A')
    web.project.git('commit', '-qm', 'An issue')
    await runOf(web, 'ask')
    const page = await web.visit('/board/ask')
    await page.getByRole('region', { name: 'sign_off' }).getByRole('link').waitFor()
    await isSound(page, 'a board')
    await dialogIsSound(page, 's', /Runbook|runbook/)
    await page.getByRole('region', { name: 'sign_off' }).getByRole('link').focus()
    await dialogIsSound(page, '>', /goes on at/)
    await page.goto(`${web.url()}/runbooks/ask`)
    await page.getByText('proved', { exact: true }).waitFor()
    await isSound(page, 'a runbook')
    await page.goto(`${web.url()}/runbooks`)
    await page.getByRole('link', { name: /ask/ }).first().waitFor()
    expect(await complaintsOn(page), 'runbooks').toEqual([])
  })

  it('in the settings, nor in what stands before them', async () => {
    const web = await open({
      people: ['maria'],
      config: () => 'notify: [ { slack: "http://127.0.0.1:9/x" } ]\n',
    })
    for (const pick of ['sqlite', 'sqlite', 'sqlite', 'sqlite', 'sqlite'])
      await web.ask('POST', `/decisions/${await web.raise()}/answer`, { pick })
    const page = await web.visit('/settings')
    for (const part of ['agents', 'channels', 'people', 'policies', 'doctor']) {
      await page.goto(`${web.url()}/settings/${part}`)
      await page.locator('section:not([aria-busy=true]) > ul, section > h2').first().waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
      await isSound(page, part)
      if (part === 'policies') {
        await page.getByRole('button', { name: /^Ratify/ }).focus()
        await dialogIsSound(page, 'Enter', 'and asked of nobody')
      }
      if (part === 'people') {
        await page.getByRole('button', { name: 'Make a login link for maria' }).focus()
        await dialogIsSound(page, 'Enter', 'Give it to nobody else')
      }
    }
  })
})
