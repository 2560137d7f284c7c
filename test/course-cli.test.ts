/** What a person does with a run, by the built command: looks at its work, lands it, speaks to it, takes it over. */
import { expect, it } from 'vitest'
import { until } from '../src/until.fixture.ts'
import { openProject } from './runs.fixture.ts'

it('[M1] is looked at and landed from the command line', async () => {
  const project = openProject()
  await project.run('run', 'build')
  const [row] = await project.json<readonly { readonly run: string }[]>('ps', '--all')
  const stat = await project.run('diff', row!.run, '--stat')
  expect(stat).toMatchObject({ code: 0, out: expect.stringMatching(/src\/made\.txt +\| 1 \+/) })
  expect(await project.json('diff', row!.run, '--step', 'develop')).toMatchObject({
    parts: [{ step: 'develop', text: expect.stringContaining('+made') }],
  })
  expect((await project.run('diff', row!.run, '--step', 'gone')).code).toBe(1)
  project.write('other.txt', 'other')
  project.git('add', '-A')
  project.git('commit', '-q', '-m', 'meanwhile')
  expect((await project.run('show', row!.run)).out).toMatch(/base +main has moved on by 1 commit /)
  const landed = await project.run('land', row!.run, '--squash', '--message', 'Make it')
  expect(landed.err).toBe('')
  expect(landed.out).toMatch(
    /is landed in main at [0-9a-f]{9} \(squash\); 1 gate passed on it\n.* is brought along/,
  )
  expect(project.git('log', '-1', '--format=%s %an')).toBe('Make it Signalbox')
  expect(project.git('status', '--porcelain')).toBe('')
  expect(await project.json('land', row!.run)).toMatchObject({ state: 'landed', how: 'nothing' })
  expect((await project.run('show', row!.run)).out).toMatch(/✓ landed in main at \w+ by \S+ \(squash\)/)
  expect(await project.run('discard', row!.run)).toMatchObject({
    code: 0,
    out: `${row!.run} is discarded; its record is kept\n`,
  })
})

it('[M5] [M7] is spoken to, taken over and given back from the command line', async () => {
  const project = openProject()
  const { run } = await project.json<{ run: string }>('run', 'hangs', '--detach')
  await until(async () => (await project.run('logs', run)).out.includes('I am at it.'), 'the agent at work')
  const said = await project.run('say', run, 'Use tabs.')
  expect(said).toMatchObject({ code: 0, out: 'dev is told it with the next turn.\n' })
  expect((await project.run('say', run, '  ')).err).toContain('Say between one and')
  const taken = await project.run('take', run)
  expect(taken.out).toMatch(/is yours, at work\. Work in \S+ \(branch signalbox\/hangs-\w+\)\./)
  const shown = await project.run('show', run)
  expect(shown.out).toMatch(/status +paused, taken over by \S+, at work/)
  expect(shown.out).toMatch(/» \S+ says: Use tabs\./)
  expect((await project.run('retry', run)).err).toContain('has taken this run over')
  const resumed = await project.run('resume', run)
  expect(resumed).toMatchObject({
    code: 0,
    out: expect.stringMatching(/has taken what you did .* and ended as done/),
  })
  expect((await project.run('resume', run)).err).toContain('Nobody has taken')
})
