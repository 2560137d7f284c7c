/** Who can use the inbox and who cannot: with one hand, and from a page of somebody else. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser } from './browser.fixture.ts'

const CONTEXT = 'Two ways.\n\n## Why now\nBecause of `this`.\n\n## Risk\n| a | b |\n|---|---|\n| 1 | 2 |\n'

describe.skipIf(CHROMIUM === null)('the inbox', () => {
  const open = useBrowser()

  it('works with one hand on a phone: nothing is wider than it, and the options lie below', async () => {
    const web = await open()
    const id = await web.raise({
      headline: 'Which store shall keep the sessions of all our users?',
      context: CONTEXT,
    })
    const page = await web.visit('/inbox', { width: 360, height: 740 })
    await page.getByRole('link', { name: /Which store/ }).click()
    const option = page.getByRole('button', { name: /^Redis/ })
    await option.waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    const box = (await option.boundingBox())!
    expect(box.width).toBeGreaterThan(320)
    expect(box.height).toBeGreaterThanOrEqual(48)
    expect(box.y).toBeGreaterThan(370)
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('link', { name: /Which store/ }).click()
    await option.click()
    await until(
      async () => ((await web.ask('GET', `/decisions/${id}`)) as { pick: string }).pick === 'redis',
      'it is answered',
    )
  })

  it('[U3] is not answered by a page of somebody else in the same browser', async () => {
    const web = await open()
    const id = await web.raise()
    const page = await web.visit(`/inbox/${id}`)
    const url = `${web.url()}/api/v1/decisions/${id}/answer`
    const foreign = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><iframe name="f"></iframe>
        <form id="form" method="post" action="${url}" enctype="text/plain" target="f"><input name='{"pick":"redis","note":"' value='"}'></form>
        <script>
          const said = []
          const tries = [
            ['${url}', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"pick":"redis"}' }],
            ['${url}', { method: 'POST', credentials: 'include', headers: { 'x-signalbox': '1', 'content-type': 'application/json' }, body: '{"pick":"redis"}' }],
            ['${web.url()}/api/v1/decisions', { credentials: 'include' }],
          ]
          document.getElementById('form').submit()
          Promise.all(tries.map(([to, how]) => fetch(to, how).then(async (r) => said.push(r.type + (await r.text())), (e) => said.push('failed')))).then(() => {
            document.title = 'tried ' + JSON.stringify(said)
          })
        </script>`)
    })
    await new Promise<void>((listening) => foreign.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void foreign.close())
    const evil = await page.context().newPage()
    for (const name of ['127.0.0.1', 'localhost']) {
      await evil.goto(`http://${name}:${(foreign.address() as AddressInfo).port}/`)
      await until(async () => (await evil.title()).startsWith('tried'), 'it tried')
      expect(await evil.title()).not.toContain('headline')
    }
    expect(await web.ask('GET', `/decisions/${id}`)).toMatchObject({ status: 'open' })
    // Nor is it shown in a frame of theirs.
    await evil.setContent(`<iframe src="${web.url()}/inbox"></iframe>`)
    expect(await evil.frameLocator('iframe').locator('nav').count()).toBe(0)
  })
})
