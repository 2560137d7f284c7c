/** What `--json` prints is what its schema says, command by command. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { PRINTED, printedReference, printedSchema } from '../src/model/api/printed.ts'
import { until } from '../src/until.fixture.ts'
import { openProject, type Project } from './runs.fixture.ts'

const NAMES = Object.keys(PRINTED) as (keyof typeof PRINTED)[]
const POLICY = 'policies: [{ name: any, when: { runbook: ask }, answer: recommended, until: 2099-12-31 }]\n'
const text = (name: string): string => readFileSync(name, 'utf8')

it('[V15] the committed schemas and their page are those the sources make (npm run reference writes them)', () => {
  expect(readdirSync('schema/json').toSorted()).toEqual(NAMES.map((name) => `${name}.schema.json`).toSorted())
  for (const name of NAMES)
    expect(JSON.parse(text(`schema/json/${name}.schema.json`))).toEqual(printedSchema(name))
  expect(text('docs/json.md')).toBe(printedReference())
})

type Printed = keyof typeof PRINTED
type Course = 'diff' | 'land' | 'update' | 'say' | 'take' | 'resume' | 'prune' | 'erase' | 'erase-list'

/** What is printed otherwise than its schema says. */
async function misprints(project: Project, asked: Partial<Record<Printed, readonly string[]>>) {
  const wrong: unknown[] = []
  for (const name of NAMES.filter((each) => each in asked)) {
    const { out, err } = await project.run(...asked[name]!, '--json')
    const validate = new Ajv2020({ strict: false }).compile(printedSchema(name))
    const printed = name === 'logs' ? out.trim().split('\n') : [out]
    if (out === '') wrong.push([name, err])
    for (const one of printed)
      if (out !== '' && !validate(JSON.parse(one))) wrong.push([name, validate.errors?.slice(0, 3)])
  }
  return wrong
}

it('[V15] every read prints what its schema says', async () => {
  const project = openProject()
  const body = '## Acceptance criteria\n\n- [ ] It is done\n'
  await project.run('issue', 'new', 'A thing to do', '--body', body)
  await project.run('issue', 'new', 'A part of it', '--parent', '1', '--depends-on', '1')
  await project.run('issue', 'comment', '1', 'Soon.')
  project.git('add', '-A')
  project.git('commit', '-q', '-m', 'an issue')
  const { run } = await project.json<{ run: string }>('run', 'ask', '--detach')
  const { run: built } = await project.json<{ run: string }>('run', 'build', '--detach')
  await project.run('attach', built)
  const page = await project.json<{ rows: { id: string }[] }>('decision', 'list')
  writeFileSync(project.path('config/policies.yaml'), POLICY)
  // Nobody listens there.
  appendFileSync(project.path('config/config.yaml'), 'notify: [{ ntfy: "http://127.0.0.1:9/topic" }]\n')
  const asked: Record<Exclude<Printed, Course>, readonly string[]> = {
    ps: ['ps', '--all'],
    show: ['show', built],
    run: ['run', 'fails', '--detach'],
    'decision-list': ['inbox'],
    'decision-show': ['decision', 'show', page.rows[0]!.id],
    check: ['check', 'build', 'ask'],
    rehearse: ['rehearse', 'fails'],
    doctor: ['doctor'],
    agents: ['agents'],
    insights: ['insights'],
    'issue-list': ['issue', 'list'],
    'issue-show': ['issue', 'show', '1'],
    'issue-next': ['issue', 'next'],
    'issue-preflight': ['issue', 'preflight', '2'],
    'issue-sync': ['issue', 'sync'],
    history: ['history', '--issue', '1'],
    people: ['people'],
    logs: ['logs', built],
    'policy-list': ['policy', 'list'],
    'policy-check': ['policy', 'check'],
    'policy-suggest': ['policy', 'suggest'],
    'notify-test': ['notify', 'test'],
  }
  expect(await misprints(project, asked)).toEqual([])
  expect(await project.json('decision', 'show', run)).toHaveLength(1)
})

it('[V15] so does what a person does with a run and with the record', async () => {
  const project = openProject()
  const { run: built } = await project.json<{ run: string }>('run', 'build', '--detach')
  await project.run('attach', built)
  const { run: hangs } = await project.json<{ run: string }>('run', 'hangs', '--detach')
  await until(async () => (await project.run('logs', hangs)).out.includes('I am at it.'), 'the agent at work')
  writeFileSync(project.path('secret.txt'), 'Nothing yet.')
  const asked: Record<Course, readonly string[]> = {
    diff: ['diff', built, '--steps'],
    land: ['land', built],
    update: ['update', built],
    say: ['say', hangs, 'Use tabs.'],
    take: ['take', hangs],
    resume: ['resume', hangs],
    prune: ['prune', built, '--yes'],
    erase: ['erase', '--text-from', project.path('secret.txt'), '--yes'],
    'erase-list': ['erase', '--list'],
  }
  expect(await misprints(project, asked)).toEqual([])
})
