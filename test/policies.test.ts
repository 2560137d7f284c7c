/** Policies, as a user has them: a file beside the config, a host that reads it, and agents that are answered by it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import type { DecisionRecord } from '../src/model/decision-record.ts'
import { until } from '../src/until.fixture.ts'
import { openProject, type Project } from './runs.fixture.ts'

const RUNBOOK = `runbook: 1
name: asks
agents: { dev: { use: asker } }
steps: { work: { agent: dev, prompt: Do it., next: done } }
`

interface Asking {
  readonly decision?: object
  readonly policies?: string
}

const policy = (more = ''): string =>
  `policies:\n  - { name: one-file, when: { runbook: asks, headline: "*store*" }, answer: sqlite, until: 2099-12-31, note: One file will do.${more} }\n`

/** A project whose agent asks once, and goes on when it is answered. */
function openAsking({ decision = {}, policies }: Asking = {}): Project {
  const project = openProject()
  const ask = { tool: { name: 'create_decision', arguments: { ...EXAMPLE_DECISION, ...decision } } }
  const turns = [[ask], [{ write: { path: 'made.txt', text: 'made\n' } }, { say: 'Made it.' }]]
  project.write('.signalbox/asks.yaml', RUNBOOK)
  project.write('.signalbox/config.yaml', 'agents: { asker: { scripted: asker.json } }\n')
  project.write('.signalbox/asker.json', JSON.stringify({ sessions: [{ when: {}, turns }] }))
  project.git('add', '-A')
  project.git('commit', '-q', '-m', 'asks')
  if (policies !== undefined) writePolicies(project, policies)
  return project
}

function writePolicies(project: Project, text: string): void {
  mkdirSync(project.path('config'), { recursive: true })
  writeFileSync(join(project.path('config'), 'policies.yaml'), text)
}

/** A host that has seen to everything that was pending. */
async function upAgain(project: Project): Promise<void> {
  await project.begin('up', '--port', '0').says(/http:/)
}

async function untilEnded(project: Project): Promise<void> {
  const [row] = await project.json<{ run: string }[]>('ps', '--all')
  // It leaves while a person is asked, and what is asked may not be answered yet.
  await until(async () => (await project.run('attach', row!.run)).code !== 3, 'the end of the run')
}

async function decisionsOf(project: Project): Promise<DecisionRecord[]> {
  const [run] = await project.json<{ run: string }[]>('ps', '--all')
  return project.json<DecisionRecord[]>('decision', 'show', run!.run)
}

describe('a policy', () => {
  it("[Y5] answers an agent's decision by itself, the agent acts on it, and the record says by which", async () => {
    const project = openAsking({ policies: policy() })
    await project.run('run', 'asks', '--detach')
    await untilEnded(project)
    const [record] = await decisionsOf(project)
    expect(record).toMatchObject({
      status: 'acted',
      by: { kind: 'policy', name: 'one-file' },
      pick: 'sqlite',
      note: 'One file will do.',
    })
    expect((await project.run('decision', 'show', record!.id)).out).toContain('policy one-file')
    expect(await project.json('policy', 'list')).toMatchObject([
      { name: 'one-file', state: 'in force', used: 1 },
    ])
    expect(await project.json('insights')).toMatchObject({ decisions: 1, byPolicy: 1, byPerson: 0 })
    expect(await project.run('policy', 'check')).toMatchObject({ code: 0 })
  })

  it.each<[string, Asking]>([
    [
      'what cannot be undone',
      {
        policies: policy(),
        decision: {
          options: [
            { key: 'sqlite', label: 'SQLite', reversible: false },
            { key: 'redis', label: 'Redis' },
          ],
        },
      },
    ],
    ['what it has expired for', { policies: policy().replace('2099-12-31', '2020-01-31') }],
    ['everything, when it stands in the project', {}],
  ])('[Y2] [Y3] [Y4] leaves to a person %s', async (_what, asking) => {
    const project = openAsking(asking)
    if (asking.policies === undefined) {
      project.write('.signalbox/policies.yaml', policy())
      project.git('add', '-A')
      project.git('commit', '-q', '-m', 'policies')
    }
    expect((await project.run('run', 'asks')).code).toBe(3)
    await upAgain(project)
    expect(await decisionsOf(project)).toMatchObject([{ status: 'open', by: null }])
  })

  it('[Y5] answers after a restart what was left open', async () => {
    const project = openAsking()
    expect((await project.run('run', 'asks')).code).toBe(3)
    writePolicies(project, policy())
    await upAgain(project)
    await untilEnded(project)
    expect(await decisionsOf(project)).toMatchObject([{ by: { kind: 'policy' }, pick: 'sqlite' }])
  })

  it('[Y4] is not applied from a broken file, which the host and doctor tell of', async () => {
    const project = openAsking({ policies: policy(', unti: never') })
    expect((await project.run('run', 'asks')).code).toBe(3)
    await upAgain(project)
    expect(await decisionsOf(project)).toMatchObject([{ status: 'open' }])
    await project.run('down')
    const log = readFileSync(join(project.home, 'logs/host.jsonl'), 'utf8')
    expect(log).toMatch(/No policy is applied: .*policies\.yaml:2:\d+/)
    const doctor = await project.run('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.out).toMatch(/✗ policies +.*policies\.yaml:2:\d+ `unti` is not a key/)
    expect((await project.run('policy', 'check')).code).toBe(1)
  })

  it('[Y6] is suggested from what a person answered, and is in force once it is ratified', async () => {
    const project = openAsking()
    for (let count = 0; count < 2; count++) {
      expect((await project.run('run', 'asks')).code).toBe(3)
      const [open] = (await project.json<{ rows: { id: string }[] }>('decision', 'list')).rows
      expect((await project.run('decision', 'answer', open!.id, 'sqlite')).code).toBe(0)
    }
    const { out } = await project.run('policy', 'suggest', '--min', '2')
    const name = /- name: (asks-work-sqlite-[0-9a-f]{8})$/m.exec(out)![1]!
    expect((await project.run('policy', 'suggest', '--min', '2', '--ratify', name)).code).toBe(0)
    await project.run('run', 'asks', '--detach')
    await untilEnded(project)
    expect(await project.json('policy', 'list')).toMatchObject([{ name, used: 1 }])
  })
})
