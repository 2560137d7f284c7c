/** Issues between people and runs, by the command that both of them type. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openProject, type Project } from './runs.fixture.ts'

const RUNBOOK = `runbook: 1
name: triage
vars: { issue: { required: true } }
steps:
  split: { check: "signalbox issue new Part --parent \${var.issue}", issues: write, next: note }
  note: { check: "signalbox issue comment \${var.issue} 'A part was filed.' --by triage", issues: write, next: look }
  look: { check: "signalbox issue show \${var.issue} && signalbox issue show 2", next: try }
  try: { check: "signalbox issue comment 1 no; test $? = 1 && git status --porcelain", next: done }
`

async function withRunbook(): Promise<Project> {
  const project = openProject()
  writeFileSync(join(project.repo, '.signalbox/triage.yaml'), RUNBOOK)
  await project.run('issue', 'new', 'A thing to do')
  commit(project, 'an issue')
  return project
}

function commit(project: Project, message: string): void {
  project.git('add', '-A')
  project.git('commit', '-q', '-m', message)
}

it('[W21] [W25] a run files and comments by the command itself, all its commands see that, and a person brings it over', async () => {
  const project = await withRunbook()
  const ran = await project.run('run', 'triage', '--issue', '1')
  expect(`${ran.out}${ran.err}`).toContain('→ done')
  const { run } = (await project.json<{ run: string }[]>('ps', '--all'))[0]!
  const told = (await project.run('logs', run)).out
  expect(told).toContain('A part was filed.')
  expect(told).toMatch(/2 +Part/)
  expect(told).toContain('This command of a run can only read issues.')

  // Not here yet, and said so.
  expect(project.git('status', '--porcelain')).toBe('')
  const listed = await project.run('issue', 'list')
  expect(listed.out).not.toContain('Part')
  expect(listed.out).toContain('What runs changed of 1, 2 is not here yet: signalbox issue sync')
  expect((await project.run('issue', 'show', '2')).err).toContain('What runs changed of 2 is not here yet')

  // An id that a run gave is given to nobody else, and what a person files meanwhile merges.
  expect((await project.run('issue', 'new', 'Mine')).out).toContain('3')
  const refused = await project.run('issue', 'sync')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('(not-clean)') })
  commit(project, 'mine')
  const synced = await project.run('issue', 'sync')
  expect(synced.err).toBe('')
  expect(synced.out).toMatch(/✓ 2 commits of runs on main, at \w{9}: 1, 2/)
  expect(project.git('log', '-3', '--format=%s').split('\n')).toEqual([
    'chore(todo): change 1',
    'chore(todo): file 2; change 1',
    'mine',
  ])
  const index = project.git('show', 'HEAD:.signalbox/issues/README.md')
  for (const title of ['A thing to do', 'Mine']) expect(index).toContain(title)
  expect(project.git('show', 'HEAD:.signalbox/issues/1.md')).toMatch(
    /\[2\]\(2\.md\) Part[\s\S]*A part was filed\./,
  )
  expect((await project.run('issue', 'sync')).out).toContain('Nothing waits: main has all that runs changed.')
  expect((await project.run('issue', 'list')).out).not.toContain('not here yet')
})

it('[W23] [W25] where a person and a run contradict each other, the person says whose version stands', async () => {
  const project = await withRunbook()
  const file = '.signalbox/issues/1.md'
  const set = (status: string) => project.run('issue', 'status', '1', status)
  writeFileSync(
    join(project.repo, '.signalbox/triage.yaml'),
    'runbook: 1\nname: triage\nsteps: { set: { check: signalbox issue status 1 done, issues: write, next: done } }\n',
  )
  commit(project, 'set')
  await project.run('run', 'triage')
  await set('in-progress')
  commit(project, 'by hand')
  const refused = await project.run('issue', 'sync')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('(both-changed)') })
  expect(project.git('log', '-1', '--format=%s')).toBe('by hand')
  expect(await project.run('issue', 'sync', '--take', 'runs')).toMatchObject({ code: 0, err: '' })
  expect(project.git('show', `HEAD:${file}`)).toMatch(/status: Done/i)
  await set('todo')
  commit(project, 'after all')
  expect((await project.run('issue', 'sync')).out).toContain('Nothing waits')
  expect(project.git('show', `HEAD:${file}`)).toMatch(/status: Todo/i)
})

it('[I1] [W21] what config an agent leaves in the files of a run does not say where issues are', async () => {
  const project = await withRunbook()
  writeFileSync(
    join(project.repo, '.signalbox/triage.yaml'),
    `runbook: 1
name: triage
steps:
  spoil: { check: "printf 'issues: elsewhere\\n' > .signalbox/config.yaml", writes: [.signalbox/config.yaml], next: note }
  note: { check: "grep elsewhere .signalbox/config.yaml && signalbox issue comment 1 'Said all the same.'", issues: write, next: look }
  look: { check: signalbox issue show 1, next: done }
`,
  )
  commit(project, 'spoil')
  const ran = await project.run('run', 'triage')
  expect(`${ran.out}${ran.err}`).toContain('→ done')
  expect(project.git('show', 'signalbox/issues:.signalbox/issues/1.md')).toContain('Said all the same.')
})

it('[M11] [X12] what a run on an issue left is told to people and to the next run, and an issue that cannot be begun is refused', async () => {
  const project = await withRunbook()
  const work = `runbook: 1
name: work
steps:
  recall: { check: "signalbox history --issue 1; signalbox history --issue 2 --json", next: note }
  note: { check: "signalbox issue comment 1 'Look at the parser first.' --by work", issues: write, next: judge }
  judge: { check: "echo the parser loops; exit 4", options: { pass: done, fail: abandoned } }
`
  writeFileSync(join(project.repo, '.signalbox/work.yaml'), work)
  await project.run('issue', 'new', 'Second', '--depends-on', '1')
  commit(project, 'work')
  expect((await project.run('history', '--issue', '1')).out).toBe('No run was about 1 yet.\n')
  await project.run('run', 'work', '--issue', '1')
  const { out } = await project.run('history', '--issue', '1')
  expect(out).toMatch(/^\w{8} {2}work {2}abandoned/)
  expect(out).toContain('judge ended as fail: the parser loops')
  expect(out).toMatch(/on 1 +run \w{8} \(signed "work"\): Look at the parser first\./)
  expect(out).toMatch(/branch +signalbox\/work-/)
  const [first] = await project.json<{ run: string; comments: unknown }[]>('history', '--issue', '1')
  const by = `run ${first?.run} (signed "work")`
  expect(first?.comments).toEqual([{ issue: '1', by, text: 'Look at the parser first.' }])

  await project.run('discard', first!.run, '--yes')
  await project.run('run', 'work', '--issue', '1')
  const [next] = await project.json<{ run: string }[]>('history', '--issue', '1')
  const told = (await project.run('logs', next!.run)).out
  expect(told).toContain(first!.run)
  expect(told).toContain('Look at the parser first.')
  expect(told).toMatch(/branch +discarded/)
  expect(told).not.toContain(next!.run)
  expect(told).toMatch(/^.*\[\]$/m)

  for (const [id, code] of [
    ['9', 'issue-not-found'],
    ['2', 'dependency-unmet'],
  ] as const) {
    const refused = await project.run('run', 'work', '--issue', id)
    expect(refused).toMatchObject({ code: 2, out: expect.stringContaining(`(${code})`) })
  }
  expect(await project.json('ps')).toEqual([])
})

it('[M11] a run on an issue that only runs know of begins, and whoever starts another is told of it', async () => {
  const project = await withRunbook()
  await project.run('run', 'triage', '--issue', '1')
  expect((await project.run('issue', 'show', '2')).code).toBe(2)
  const started = await project.run('run', 'ask', '--issue', '2', '--detach')
  expect(started.code).toBe(0)
  const [going] = await project.json<{ run: string; issue: { title: string } }[]>('ps')
  expect(going?.issue.title).toBe('Part')
  const another = await project.run('run', 'ask', '--issue', '2', '--detach')
  expect(another.out).toContain(`Another run is about issue 2 too: ${going!.run} (ask, waiting).`)
})
