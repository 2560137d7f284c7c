/** The demo where nobody sits: what it tells to type works as it stands. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../src/until.fixture.ts'
import { shell } from './command.fixture.ts'
import { openProject } from './runs.fixture.ts'

describe('the demo, where nobody can be asked', () => {
  it('tells how to answer and where to look, in words that can be pasted', async () => {
    const project = openProject()
    const ran = await project.run('demo')
    const paste = (line: string) => shell(`export SIGNALBOX_CONFIG=${project.path('config')}; ${line}`)
    expect(ran).toMatchObject({ code: 3, err: '' })
    const answer = /To answer: (.+) CHOICE$/m.exec(ran.out)?.[1] ?? ''
    const story = /the whole story (.+)$/m.exec(ran.out)?.[1] ?? ''
    const ours = story.replace(/ show \w+$/, '')
    expect(answer.startsWith(`${ours} decision answer `)).toBe(true)
    onTestFinished(async () => void (await paste(`${ours} down`)))
    expect(await paste(`${answer} ship`)).toMatchObject({ code: 0, err: '' })
    await until(async () => (await paste(story)).out.includes('ended as done'), 'the run ends as answered')
  })
})
