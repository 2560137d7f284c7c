/** The settings: what is in force, asked and tried from the page. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import type { Project } from '../runs.fixture.ts'
import { CHROMIUM, useBrowser, type Web } from './browser.fixture.ts'

/** Speaks just enough of the protocol. */
const TALKER = `
process.stdin.setEncoding('utf8').on('data', (lines) => lines.trim().split('\\n').forEach((line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'initialize'
    ? { protocolVersion: 1, agentInfo: { name: 'talker', version: '1.2.3' }, agentCapabilities: { loadSession: true } }
    : { sessionId: 's', models: { currentModelId: 'fast-1', availableModels: [] } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})).on('end', () => process.exit(0))
`

const talkerIn = (project: Project): string => {
  project.write('talker.cjs', TALKER)
  return `agents: { talker: { acp: "${process.execPath} ${join(project.repo, 'talker.cjs')}" } }\n`
}

async function listen(): Promise<{ readonly port: number; readonly told: string[] }> {
  const told: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      told.push(`${request.url} ${body}`)
      response.writeHead(request.url?.includes('good') === true ? 204 : 404).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, told }
}

const answeredAlike = async (web: Web, picks: readonly string[]): Promise<void> => {
  for (const pick of picks) {
    const id = await web.raise()
    await web.ask('POST', `/decisions/${id}/answer`, { pick })
  }
}

describe.skipIf(CHROMIUM === null)('the settings in a browser', () => {
  const open = useBrowser()

  it('[U13] tell which agents there are, and ask one when somebody wants that', async () => {
    const web = await open({ config: talkerIn })
    const page = await web.visit('/settings')
    const agents = page.getByRole('region', { name: 'Agents' })
    const talker = agents.getByRole('listitem').filter({ hasText: 'talker' }).first()
    await talker.getByText('never asked').waitFor()
    await agents.getByText(/more are known, and not installed/).click()
    await agents
      .getByText(/npm install -g/)
      .first()
      .waitFor()
    await talker.getByRole('button', { name: 'Ask talker what it can do' }).click()
    await talker.getByText(/It works with fast-1, .*goes on with earlier sessions/).waitFor()
    await talker.getByText(/What does not work with it/).click()
    await talker.getByText(/No MCP over HTTP/).waitFor()
  })

  it('[U13] try a channel for real, without telling its address', async () => {
    const { port, told } = await listen()
    const web = await open({
      people: ['maria'],
      config: () =>
        `notify:\n  - { slack: "http://127.0.0.1:${port}/services/good-zebra" }\n  - { slack: "http://127.0.0.1:${port}/services/bad-zebra", for: maria }\n`,
    })
    const page = await web.visit('/settings/channels')
    const channels = page.getByRole('region', { name: 'Channels' })
    await channels.getByText('2 channels. Addresses are not shown here.').waitFor()
    await page.keyboard.press('t')
    await channels.getByText('sent: HTTP 204').waitFor()
    await channels.getByText(/not sent: HTTP 404/).waitFor()
    expect(told.filter((text) => text.includes('Signalbox can reach you here'))).toHaveLength(2)
    expect(await page.content()).not.toContain('zebra')
  })

  it('[U13] show what a policy would have got wrong, and ratify it', async () => {
    const web = await open()
    await answeredAlike(web, [...Array.from({ length: 9 }, () => 'sqlite'), 'redis'])
    const page = await web.visit('/settings/policies')
    const policies = page.getByRole('region', { name: 'Policies' })
    await policies.getByText('There is none: every question comes to a person.').waitFor()
    await policies.getByText('9 of 10 answers were the same').waitFor()
    await policies.getByText('a person picked redis, it would have picked sqlite').waitFor()
    await policies.getByRole('button', { name: /^Ratify/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/It would have been wrong once of 10/).waitFor()
    await dialog.getByRole('button', { name: 'Ratify it' }).click()
    await policies.getByText(/in force until/).waitFor()
    await policies.getByText(/it would have answered 10, and 1 of them wrongly/).waitFor()
    const file = join(dirname(web.project.home), 'config/policies.yaml')
    expect(readFileSync(file, 'utf8')).toContain('answer: sqlite')
    const id = await web.raise()
    await until(
      async () => ((await web.ask('GET', `/decisions/${id}`)) as { pick: string }).pick === 'sqlite',
      'it answers',
    )
  })

  it('[U13] are walked with the keyboard: the sandbox in force and what the doctor finds', async () => {
    const web = await open()
    const page = await web.visit()
    await page.getByText('Nothing has been asked yet').waitFor()
    await page.keyboard.press('Shift+S')
    await page.getByRole('region', { name: 'Agents' }).waitFor()
    await page.keyboard.press('5')
    await page.waitForURL(/\/settings\/sandbox/)
    await page.getByRole('region', { name: 'Sandbox' }).getByText('your config', { exact: true }).waitFor()
    await page.keyboard.press('6')
    const doctor = page.getByRole('region', { name: 'Doctor' })
    await doctor.getByText(/every event follows from the one before it/).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'Sandbox' }).waitFor()
  })

  it('[U13] show somebody on the list what they may see, and let the owner make a link for them', async () => {
    const web = await open({ people: ['maria'] })
    const owner = await web.visit('/settings/people')
    await owner.getByRole('button', { name: 'Make a login link for maria' }).click()
    const link = await owner.getByLabel('The link').inputValue()
    const theirs = await owner.context().browser()!.newContext()
    onTestFinished(() => theirs.close())
    const page = await theirs.newPage()
    await page.goto(link)
    await page.waitForURL(/\/inbox/)
    await page.goto(`${web.url()}/settings`)
    await page.getByText('One person answers here beside you.').waitFor()
    expect(
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents(),
    ).toEqual(['People', 'Policies'])
    await page.goto(`${web.url()}/settings/agents`)
    await page.getByText('There is nothing to see for you here').waitFor()
  })
})
