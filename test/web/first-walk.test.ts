/** From the terminal into the browser: a login link, an open decision, a key, and the run goes on. */
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser } from './browser.fixture.ts'

describe.skipIf(CHROMIUM === null)('a person with a browser', () => {
  const open = useBrowser()

  it('[U1] comes in by the link of `signalbox open`, once, and leaves again', async () => {
    const web = await open()
    const page = await web.visit()
    const { out } = await web.project.run('open', '--print')
    const link = out.trim()
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#[\w-]{32}$/)
    const other = await page.context().browser()!.newPage()
    await other.goto(link)
    await other.waitForURL(/\/inbox/)
    expect(await other.evaluate('document.cookie')).toBe('')
    await other.context().clearCookies()
    await other.goto(link)
    await other.getByRole('alert').getByText('was used already').waitFor()
    expect(other.url()).toMatch(/\/login$/)
    await other.close()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('What do you want to do?').fill('log out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/login/)
    await page.goto(`${web.url()}/inbox`)
    await page.waitForURL(/\/login/)
  })

  it('[U4] answers what a run asks with a key, and sees the run go on', async () => {
    const web = await open()
    const page = await web.visit()
    await web.project.run('run', 'ask', '--detach')
    await page.getByRole('heading', { name: 'Ship this?' }).waitFor()
    expect(await page.title()).toBe('◆ 1 · Signalbox')
    await page.keyboard.press('1')
    await until(async () => (await page.title()) === 'Signalbox', 'nothing waits any more')
    await page.keyboard.press('R')
    await page.getByText('done').first().waitFor()
    const [run] = (await web.ask('GET', '/runs?all=true')) as { status: string; end: string }[]
    expect(run).toMatchObject({ status: 'ended', end: 'done' })
  })

  it('[U12] who has no run yet starts one from the page, and is asked while they watch', async () => {
    const web = await open()
    const page = await web.visit()
    await page.getByRole('button', { name: 'Start the demo run' }).waitFor()
    await page.keyboard.press('d')
    await page.getByRole('heading', { name: 'Ship this change?' }).waitFor({ timeout: 90_000 })
    await page.getByText('node --test').first().waitFor()
    await page.keyboard.press('1')
    await until(async () => {
      const [run] = (await web.ask('GET', '/runs?all=true')) as { end: string | null }[]
      return run?.end === 'done'
    }, 'the run is done')
  })

  it('[U12] `signalbox demo --web` is answered in the browser', async () => {
    const web = await open()
    const demo = web.project.begin('demo', '--web')
    await demo.says(/In the browser: http\S+/)
    const link = /In the browser: (\S+)/.exec(demo.out())?.[1] ?? ''
    const page = await web.visit()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Ship this change?' }).waitFor({ timeout: 90_000 })
    await demo.says('It waits for you in the browser.')
    await page.keyboard.press('1')
    await demo.says('The browser can look at it until you stop this')
    demo.signal('SIGINT')
    expect((await demo.ended).code).toBe(0)
  })
})
