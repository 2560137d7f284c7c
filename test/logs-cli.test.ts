/** `signalbox logs -f` beside a run that goes on. */
import { expect, it } from 'vitest'
import { openProject } from './runs.fixture.ts'

const TALKS = {
  sessions: [
    {
      turns: [
        [
          { say: 'Before.' },
          { run: 'until test -f "$RELEASE"; do sleep 0.05; done' },
          { say: 'After.' },
          { hang: true },
        ],
      ],
    },
  ],
}

it('shows what was said, what is said now, and ends with the run or when told to', async () => {
  const project = openProject()
  project.write('.signalbox/hanger.json', JSON.stringify(TALKS))
  await project.begin('up', '--port', '0').says('is up at')
  const { run } = await project.json<{ run: string }>('run', 'hangs', '--detach')
  const [follower, other] = [
    project.begin('logs', run.slice(0, 5), '-f'),
    project.begin('logs', run, '-f', '--json'),
  ]
  await Promise.all([follower.says('Before.'), other.says('Before.')])
  expect(follower.out()).not.toContain('After.')
  project.release()
  await follower.says(/^\d\d:\d\d:\d\d work\/dev +After\.$/m)

  other.signal('SIGINT')
  const interrupted = await other.ended
  expect(interrupted.code).toBe(130)
  const lines = interrupted.out.trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { step: string }).step)).toContain('work')

  expect((await project.run('cancel', run)).code).toBe(0)
  expect((await follower.ended).code).toBe(0)
  expect((await project.run('logs', run, '-f', '--step', 'elsewhere')).out).toBe('')
})
