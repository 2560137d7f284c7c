/** The list of runs: found by what is typed and chosen, which stands in the address. */
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser } from './browser.fixture.ts'

describe.skipIf(CHROMIUM === null)('the runs in a browser', () => {
  const open = useBrowser()

  it('[U15] are narrowed down by status, runbook and words, and the address keeps it', async () => {
    const web = await open()
    await web.project.run('run', 'ask', '--detach', '--var', 'what=the-blue-one')
    await web.project.run('run', 'ask', '--detach')
    await web.project.run('run', 'fails', '--detach')
    const rows = async () =>
      (await web.ask('GET', '/runs?all=true')) as { run: string; status: string; name: string }[]
    await until(
      async () => (await rows()).filter(({ status }) => status !== 'working').length === 3,
      'the runs stand',
    )
    const [asks] = (await rows()).filter(({ name }) => name === 'ask')
    const page = await web.visit('/runs')
    const list = page.getByRole('list', { name: 'Runs' }).getByRole('link')
    await until(async () => (await list.count()) === 3, 'all of them')
    await page.getByText('2 go on, 2 wait for you.').waitFor()

    await page.getByRole('button', { name: /waits for you 2/ }).click()
    await until(async () => (await list.count()) === 2, 'those that wait')
    expect(page.url()).toContain('status=waiting')
    await page.getByLabel('Runbook').selectOption('fails')
    await page.getByText('No run is like that').waitFor()
    await page.goBack()
    await until(async () => (await list.count()) === 2, 'back leads back')
    await page.keyboard.press('x')
    await until(async () => (await list.count()) === 3, 'all of them again')

    await page.keyboard.press('/')
    await page.keyboard.type(asks!.run)
    await until(async () => (await list.count()) === 1, 'the one with the words')
    await page.keyboard.press('Enter')
    await page.reload()
    await until(async () => (await list.count()) === 1, 'the address keeps it')
    expect(await page.getByLabel('Only runs with these words').inputValue()).toBe(asks!.run)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/runs/${asks!.run}`))
  })

  it('[U15] tell what to do where there is none, and show the next one by themselves', async () => {
    const web = await open()
    const page = await web.visit('/runs')
    await page.getByText('No runs yet').waitFor()
    await web.project.run('run', 'fails', '--detach')
    const list = page.getByRole('list', { name: 'Runs' }).getByRole('link')
    await until(async () => (await list.count()) === 1, 'it is there')
    await page.getByRole('button', { name: /fault 1/ }).waitFor()
    await page.keyboard.press('4')
    await page.waitForURL(/status=fault/)
    await page.keyboard.press('j')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('fails')
  })
})
