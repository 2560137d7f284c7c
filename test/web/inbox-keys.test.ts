/** The keys of the inbox that change what is shown, and an answer that must bring more than its option. */
import { describe, expect, it } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser } from './browser.fixture.ts'

const FIELDS = `runbook: 1
name: fields
steps:
  sign_off:
    decide: Ship it?
    fields:
      reason: { type: text, required_for: [again], say: What must change }
      tries: { type: number, say: How often }
      risk: { type: choice, choices: [low, high], say: How risky }
    options: { ship: done, again: abandoned }
`

describe.skipIf(CHROMIUM === null)('the inbox by its keys', () => {
  const open = useBrowser()

  it('[U4] wants what the contract asks for, says what is missing, and sends it with the answer', async () => {
    const web = await open()
    web.project.write('.signalbox/fields.yaml', FIELDS)
    web.project.git('add', '-A')
    web.project.git('commit', '-qm', 'A runbook with fields')
    await web.project.run('run', 'fields', '--detach')
    const page = await web.visit()
    await page.getByLabel('What must change (needed for again)').waitFor()
    await page.keyboard.press('2')
    await page.getByText('is still missing').waitFor()
    const pending = async () =>
      ((await web.ask('GET', '/decisions?status=all')) as { rows: { id: string; status: string }[] }).rows[0]!
    expect((await pending()).status).toBe('open')
    await page.getByLabel(/^What must change/).fill('The name of it.')
    await page.getByLabel(/^How often/).fill('3')
    await page.getByLabel(/^How risky/).selectOption('high')
    expect(await page.getByText('is still missing').count()).toBe(0)
    await page.locator('[data-option=again]').focus()
    await page.keyboard.press('2')
    await until(async () => (await pending()).status !== 'open', 'it is answered')
    const [{ run }] = (await web.ask('GET', '/runs?all=true')) as [{ run: string }]
    const told = JSON.stringify(await web.ask('GET', `/runs/${run}/events`))
    for (const field of ['"reason":"The name of it."', '"tries":3', '"risk":"high"'])
      expect(told).toContain(field)
  })

  it('[U4] shows each of those that ask the same with g, and only some with /, as the address says', async () => {
    const web = await open()
    for (let times = 0; times < 3; times++) await web.raise()
    await web.raise({ headline: 'Paint it blue?' })
    const page = await web.visit()
    const lines = page.getByRole('region', { name: 'What waits' }).getByRole('link')
    await page.getByText('×3').waitFor()
    await until(async () => (await lines.count()) === 2, 'those that ask the same are one')
    await page.keyboard.press('g')
    await until(async () => (await lines.count()) === 4, 'each by itself')
    expect(page.url()).toContain('each=true')
    await page.keyboard.press('/')
    await page.keyboard.type('blue')
    await until(async () => (await lines.count()) === 1, 'only the one with the word')
    await page.keyboard.press('Enter')
    await page.reload()
    await until(async () => (await lines.count()) === 1, 'the address keeps it')
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await until(async () => (await lines.count()) === 2, 'as before')
  })

  it('[U4] does by name in the palette what a key does, and teaches the key', async () => {
    const web = await open()
    const id = await web.raise({ headline: 'Which one?' })
    const page = await web.visit()
    await page.locator('article h2', { hasText: 'Which one?' }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Control+k')
    const snooze = dialog.getByRole('option', { name: /^Put it off/ })
    await snooze.waitFor()
    expect(await snooze.locator('kbd').textContent()).toBe('s')
    await page.keyboard.type('redis')
    await dialog.getByRole('option', { name: /^Redis/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await until(
      async () => ((await web.ask('GET', `/decisions/${id}`)) as { pick: string }).pick === 'redis',
      'it is answered by name',
    )
    await page.keyboard.press('Control+k')
    await page.keyboard.type('no such thing at all')
    await dialog.getByText('Nothing here is called so.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('go to settings')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings/)
  })
})
