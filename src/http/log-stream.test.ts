import { mkdirSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appOf, askerOf, openOperations, TOKEN } from './doors.fixture.ts'

const line = (text: string): string =>
  `${JSON.stringify({ at: 1, step: 's', visit: 1, who: 'dev', kind: 'text', text })}\n`

describe('the log of a run', () => {
  it('[U9] is told from where it was seen, and as it grows', async () => {
    const { options, begin } = openOperations()
    const run = await begin()
    const file = join(options.logs!, `${run}.jsonl`)
    mkdirSync(options.logs!, { recursive: true })
    writeFileSync(file, line('one') + line('two'))
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${TOKEN}`,
      'last-event-id': `${line('one').length}`,
    }
    const response = await appOf(options).request(`http://localhost/api/v1/runs/${run}/log`, { headers })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    onTestFinished(() => reader.cancel().catch(() => undefined))
    let said = ''
    const heard = async (words: string): Promise<void> => {
      while (!said.includes(words)) said += (await reader.read()).value ?? ''
    }
    await heard('event: whole')
    expect(said).toContain('"text":"two"')
    expect(said).not.toContain('"text":"one"')
    await appendFile(file, line('three'))
    await heard('"text":"three"')
    expect(said).toContain(`id: ${line('one').length + line('two').length + line('three').length}`)
  })

  it('is looked for only where the record has the run, whatever its name says', async () => {
    const ask = askerOf(openOperations().options)
    for (const name of ['nobody', '..%2f..%2fhost', '%2e%2e']) {
      const { status } = await ask(`/api/v1/runs/${name}/log`)
      expect(status).toBe(404)
    }
  })
})
