/** The inbox, from the keyboard and with two people at it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser, type Web } from './browser.fixture.ts'

const headlineOn = (page: Page) => page.locator('article h2').textContent()

const waitFor = (page: Page, headline: string) =>
  until(async () => (await headlineOn(page).catch(() => '')) === headline, `the card "${headline}"`)

const statusOf = async (web: Web, id: string) =>
  (await web.ask('GET', `/decisions/${id}`)) as {
    readonly status: string
    readonly pick: string
    readonly note: string
    readonly snoozedUntil: number | null
    readonly assignee: string | null
    readonly edited: string | null
  }

const statusBecomes = (web: Web, id: string, wanted: object) =>
  until(async () => {
    const record = await statusOf(web, id)
    return Object.entries(wanted).every(([name, value]) => record[name as keyof typeof record] === value)
  }, JSON.stringify(wanted))

describe.skipIf(CHROMIUM === null)('the inbox', () => {
  const open = useBrowser()

  it('[U4] is cleared from the keyboard: picking goes on to the next, a note goes with its own answer only', async () => {
    const web = await open()
    const ids = []
    for (const headline of ['First?', 'Second?', 'Third?']) ids.push(await web.raise({ headline }))
    const [first, second, third] = ids as [string, string, string]
    const page = await web.visit()
    await waitFor(page, 'First?')
    await page.keyboard.press('j')
    await waitFor(page, 'Second?')
    await page.keyboard.press('n')
    await page.keyboard.type('Only 1 machine: j k 2')
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await waitFor(page, 'First?')
    expect(await page.getByLabel('A note that goes with the answer').count()).toBe(0)
    await page.keyboard.press('1')
    await waitFor(page, 'Second?')
    expect(await page.getByLabel('A note that goes with the answer').inputValue()).toBe(
      'Only 1 machine: j k 2',
    )
    await page.keyboard.press('2')
    await waitFor(page, 'Third?')
    await statusBecomes(web, first, { pick: 'sqlite', note: '' })
    await statusBecomes(web, second, { pick: 'redis', note: 'Only 1 machine: j k 2' })
    await page.keyboard.press('e')
    await page.getByRole('dialog').getByText('Redis').waitFor()
    await page.keyboard.press('2')
    await page.getByLabel('What “Redis” shall mean instead').fill('Valkey.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.keyboard.press('2')
    await statusBecomes(web, third, { pick: 'redis', edited: 'Valkey.' })
    await page.getByRole('heading', { name: 'Nothing waits for you' }).first().waitFor()
  })

  it('[U4] takes an answer back while it is held, puts one off and gives one away', async () => {
    const web = await open({ hold: '60s', people: ['maria'] })
    const id = await web.raise({ headline: 'Which one?' })
    const page = await web.visit()
    await waitFor(page, 'Which one?')
    await page.keyboard.press('1')
    await page.getByText(/undo, \d+ s left/).waitFor()
    await statusBecomes(web, id, { status: 'answered' })
    await page.keyboard.press('z')
    await waitFor(page, 'Which one?')
    await statusBecomes(web, id, { status: 'open', pick: '' })
    // The host has taken it back before the page has heard of it.
    await page.locator('button:enabled', { hasText: 'assign' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'maria' }).click()
    await statusBecomes(web, id, { assignee: 'maria' })
    await page.keyboard.press('s')
    await page.getByRole('dialog').getByText('For an hour').waitFor()
    await page.keyboard.press('1')
    await until(async () => ((await statusOf(web, id)).snoozedUntil ?? 0) > Date.now(), 'it sleeps')
    await page.getByText(/^till /).waitFor()
    expect(await page.title()).toBe('Signalbox')
  })

  it('[Q17] shows those that ask the same as one, and answers them with one stroke', async () => {
    const web = await open()
    const ids = [await web.raise(), await web.raise(), await web.raise()]
    const page = await web.visit()
    await page.getByText('×3').waitFor()
    await waitFor(page, EXAMPLE_DECISION.headline)
    await page.keyboard.press('t')
    await page.keyboard.press('2')
    for (const id of ids) await statusBecomes(web, id, { pick: 'redis' })
  })

  it('asks once more before what cannot be undone', async () => {
    const web = await open()
    const options = [
      { key: 'drop', label: 'Drop it', body: 'Delete the table.', reversible: false },
      { key: 'keep', label: 'Keep it', body: 'Leave it.' },
    ]
    const id = await web.raise({ headline: 'Drop the table?', options, recommended: 'keep' })
    const page = await web.visit()
    await waitFor(page, 'Drop the table?')
    await page.keyboard.press('1')
    await page.getByText('Again, and it is done').waitFor()
    expect((await statusOf(web, id)).status).toBe('open')
    await page.keyboard.press('Escape')
    await until(
      async () => (await page.getByText('Again, and it is done').count()) === 0,
      'it is not meant any more',
    )
    await page.keyboard.press('1')
    await page.keyboard.press('1')
    await statusBecomes(web, id, { pick: 'drop' })
  })

  it('[U5] two people at one decision see each other; the second is told who won, with what they typed kept', async () => {
    const web = await open({ people: ['maria'] })
    const id = await web.raise({ headline: 'Which one?' })
    const [mine, hers] = [await web.visit(`/inbox/${id}`), await web.visit(`/inbox/${id}`, { as: 'maria' })]
    await mine.getByText('maria is looking at this').waitFor()
    await hers.getByText(/is looking at this/).waitFor()
    await mine.keyboard.press('n')
    await mine.keyboard.type('Because of the backup.')
    await mine.keyboard.press('Escape')
    // Nothing that happens reaches her page any more, so she answers what is answered already.
    await hers.context().setOffline(true)
    await hers.keyboard.press('n')
    await hers.keyboard.type('My own reason.')
    await hers.keyboard.press('Escape')
    await mine.keyboard.press('2')
    await statusBecomes(web, id, { pick: 'redis' })
    await hers.context().setOffline(false)
    await hers.keyboard.press('1')
    await hers.getByText(/already answered this with/).waitFor()
    await hers.getByText('My own reason.').first().waitFor()
    expect(await statusOf(web, id)).toMatchObject({ pick: 'redis', note: 'Because of the backup.' })
  })

  it('[U4] goes on by itself when the host was killed and comes back, and loses nothing that was typed', async () => {
    const web = await open()
    const id = await web.raise({ headline: 'Which one?' })
    const page = await web.visit(`/inbox/${id}`)
    await waitFor(page, 'Which one?')
    await page.getByText('1 waits for you').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('Typed before')
    await web.kill()
    await page.getByText('The host is away since').waitFor()
    await page.keyboard.type(', and while it was away')
    await page.keyboard.press('Escape')
    await page.keyboard.press('1')
    await page.getByText('The host does not answer').waitFor()
    await waitFor(page, 'Which one?')
    await web.start()
    await web.raise({ headline: 'Another?' })
    await page.getByText('Another?').first().waitFor()
    expect(await page.getByText('The host is away since').count()).toBe(0)
    expect(await headlineOn(page)).toBe('Which one?')
    await page.keyboard.press('2')
    await statusBecomes(web, id, { pick: 'redis', note: 'Typed before, and while it was away' })
  })

  it('[U7] shows what an agent wrote, and lets it run, load and hide nothing', async () => {
    const web = await open()
    const context = [
      '<script>document.title = "owned"</script><img src="http://127.0.0.1:9/x.png" onerror="document.title=\'owned\'">',
      '![p](http://127.0.0.1:9/pixel.png) [click](javascript:document.title="owned") [good](https://example.org/a)',
      '<iframe src="http://127.0.0.1:9/"></iframe><style>body { display: none }</style>',
      '## Risk',
      'rm -rf \u202Egnp.tac\u202C and zero\u200Bwidth',
    ].join('\n\n')
    const id = await web.raise({
      headline: 'Safe\u202Eexe.txt?',
      context,
      evidence: { log: '\u001B[31mred\u001B[0m \u001B]0;owned\u0007' },
    })
    const page = await web.visit()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${web.url()}/inbox/${id}`)
    await page.getByText('U+202E').first().waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    await page.getByText('(example.org)').waitFor()
    expect(await page.locator('article').locator('img, script, iframe, style, object, embed').count()).toBe(0)
    expect(await page.locator('article a[href^="javascript"]').count()).toBe(0)
    const good = page.locator('article a[href="https://example.org/a"]')
    expect(await good.getAttribute('rel')).toContain('noopener')
    expect(await page.title()).not.toContain('owned')
    expect(asked.filter((url) => !url.startsWith(web.url()))).toEqual([])
  })
})
