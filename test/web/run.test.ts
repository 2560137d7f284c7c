/** A run in the browser: its axis, any moment of it, what its agent says, and what a person does about it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser } from './browser.fixture.ts'

const firstPrompt = async (page: Page): Promise<string> => {
  const labels = await page.getByLabel('Which prompt').locator('option').allTextContents()
  return labels.findLast((label) => label.includes('review, visit 1, reviewer, prompt 1'))!
}

describe.skipIf(CHROMIUM === null)('a run in a browser', () => {
  const open = useBrowser()

  it('[U9] tells what happened when and why, at any moment', async () => {
    const web = await open()
    await web.project.run('run', 'build', '--detach')
    const ended = async () =>
      ((await web.ask('GET', '/runs?all=true')) as { run: string; status: string }[])[0]
    await until(async () => (await ended())?.status === 'ended', 'the run ends')
    const { run } = (await ended())!
    const page = await web.visit(`/runs/${run}`)
    await page.getByRole('heading', { name: 'build' }).waitFor()
    const axis = page.getByRole('region', { name: 'What happened when' })
    await axis.getByRole('button', { name: /^develop, visit 1: dev,/ }).waitFor()
    await axis.getByRole('button', { name: /^review, visit 1: approve/ }).waitFor()
    await axis.getByRole('button', { name: 'develop: gate failed' }).waitFor()
    await page.getByText('gate passed at').first().waitFor()
    await page.getByText('Made it.').waitFor()

    await page.getByRole('tab', { name: /^Diff at/ }).click()
    await page.getByText('src/made.txt, new').waitFor()
    await page.getByRole('tab', { name: 'Brief' }).click()
    await page.getByLabel('Which prompt').selectOption({ label: await firstPrompt(page) })
    await page.locator('pre', { hasText: 'Review it.' }).waitFor()
    await page.getByRole('tab', { name: 'Evidence' }).click()
    await page.getByText('review: answer refused').waitFor()
    await page.getByText('What would be right').first().waitFor()

    await axis.getByRole('button', { name: 'develop: gate failed' }).click()
    await page.getByText(/^As it was at/).waitFor()
    await page.getByText('review: answer refused').waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/at=\d+/)
    await page.keyboard.press('.')
    await page.getByText(/^Now, after/).waitFor()
  })

  it('[U10] says what it will do before it does it, and shows it when it is done', async () => {
    const web = await open()
    await web.project.run('run', 'hangs', '--detach')
    const going = async () => ((await web.ask('GET', '/runs')) as { run: string }[])[0]
    await until(async () => (await going()) !== undefined, 'the run is there')
    const { run } = (await going())!
    const page = await web.visit(`/runs/${run}`)
    await page.getByText('I am at it.').waitFor()
    await page.getByText(/^at most \d+ visits?, \d+ dispatch(es)?, \d+ questions? to people$/).waitFor()
    web.project.write('README.md', 'The base goes on.\n')
    web.project.git('commit', '-q', '-am', 'second')
    await page.reload()
    await page.getByText('main got 1 commit since it was taken').waitFor()
    await page.keyboard.press('b')
    await page
      .getByRole('dialog')
      .getByText(/1 commit of main/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Bring it in' }).click()
    await page.getByText('It is done when the agent’s turn ends.').waitFor()
    await page.keyboard.press('x')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The agent at work is ended; what it committed stays.').waitFor()
    await dialog.getByLabel(/^Why/).fill('not needed')
    await dialog.getByRole('button', { name: 'Cancel the run' }).click()
    await page.getByText('It is cancelled.').waitFor()
    await page.getByText(/ended as cancelled: not needed/).waitFor()
  })
})
