/** A script that waits for its decision, and what becomes of the decision when the script is stopped. */
import { expect, it, vi } from 'vitest'
import { openProject, type Project } from './runs.fixture.ts'

const ASK = [
  ...['decision', 'create', '--headline', 'Deploy?', '--question', 'Shall I deploy?'],
  ...['--option', 'yes=Yes', '--option', 'no=No'],
]

interface Row {
  readonly id: string
  readonly status: string
}

const rowsOf = async (project: Project): Promise<readonly Row[]> =>
  (await project.json<{ rows: readonly Row[] }>('decision', 'list', '--status', 'all')).rows

const becomes = (project: Project, ...statuses: readonly string[]): Promise<void> =>
  vi.waitFor(async () => expect((await rowsOf(project)).map(({ status }) => status)).toEqual(statuses), {
    timeout: 40_000,
    interval: 200,
  })

async function hosted(): Promise<Project> {
  const project = openProject()
  await project.begin('up', '--port', '0').says('is up at')
  return project
}

it('[Q37] a decision whose asker waits is withdrawn with it, whichever signal ends it', async () => {
  const project = await hosted()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const
  const asking = signals.map(() => project.begin(...ASK, '--wait', '600'))
  await becomes(project, ...signals.map(() => 'open'))
  for (const [nth, signal] of signals.entries()) asking[nth]!.signal(signal)
  const codes = (await Promise.all(asking.map(({ ended }) => ended))).map(({ code }) => code)
  expect(codes).toEqual([130, 130, 130, null])
  await becomes(project, ...signals.map(() => 'withdrawn'))
})

it('[Q37] one that was made to outlive its asker stays: by a command to resume, without a wait, and after one', async () => {
  const project = await hosted()
  expect((await project.run(...ASK)).code).toBe(0)
  expect((await project.run(...ASK, '--wait', '0')).code).toBe(3)
  const resumed = project.begin(...ASK, '--resume', 'cat', '--wait', '600')
  await becomes(project, 'open', 'open', 'open')
  resumed.signal('SIGKILL')
  await resumed.ended
  const waiting = project.begin('decision', 'wait', (await rowsOf(project))[0]!.id, '--seconds', '600')
  await vi.waitFor(() => expect(project.agents()).toContain(waiting.pid))
  waiting.signal('SIGINT')
  await waiting.ended
  await project.run('down')
  await project.begin('up', '--port', '0').says('is up at')
  await becomes(project, 'open', 'open', 'open')
})

it('[Q37] a restart of the host withdraws nothing, and an asker that ended meanwhile is found by the next host', async () => {
  const project = openProject()
  const first = project.begin('up', '--port', '0')
  await first.says('is up at')
  const asking = project.begin(...ASK, '--wait', '600')
  const gone = project.begin(...ASK, '--wait', '600')
  await becomes(project, 'open', 'open')
  gone.signal('SIGSTOP')
  first.signal('SIGKILL')
  await first.ended
  gone.signal('SIGKILL')
  await gone.ended
  // Who waits becomes the host where there is none.
  await vi.waitFor(
    async () =>
      expect((await rowsOf(project)).map(({ status }) => status).sort()).toEqual(['open', 'withdrawn']),
    { timeout: 40_000, interval: 200 },
  )
  const [row] = (await rowsOf(project)).filter(({ status }) => status === 'open')
  expect((await project.run('decision', 'answer', row!.id, 'yes')).code).toBe(0)
  expect(await asking.ended).toMatchObject({ code: 0, out: expect.stringContaining('yes') })
})
