/** `erase` and `prune` on a real home, with a host and without one: what goes is gone, and the record stays whole. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { openProject, type Project } from './runs.fixture.ts'

const SECRET = 'sk-live-"4f9a"/zz\\99'

/** Every file below the folder whose bytes hold it. */
function holders(folder: string, secret: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file)
      return bytes.includes(secret) || bytes.includes(JSON.stringify(secret).slice(1, -1))
    })
}

const wrong = async (project: Project): Promise<string[]> =>
  (await project.json<{ about: string; state: string; text: string }[]>('doctor')).flatMap(
    ({ about, state, text }) => (state === 'bad' ? [`${about}: ${text}`] : []),
  )

async function leak(project: Project): Promise<{ readonly run: string; readonly file: string }> {
  await project.run('run', 'ask', '--var', `what=${SECRET}`)
  const [{ run }] = (await project.json<{ run: string }[]>('ps')) as [{ run: string }]
  mkdirSync(join(project.home, 'logs'), { recursive: true })
  appendFileSync(join(project.home, 'logs', `${run}.jsonl`), `${JSON.stringify({ text: SECRET })}\n`)
  const file = project.path('secret.txt')
  writeFileSync(file, `${SECRET}\n`)
  return { run, file }
}

describe('[J12] erase', () => {
  it('takes a leaked secret out of every file, asks first, and the run goes on', async () => {
    const project = openProject()
    const { run, file } = await leak(project)
    const trace = project.path('trace')
    mkdirSync(trace)
    writeFileSync(join(trace, 'wire.jsonl'), `{"said":"${SECRET}"}`)
    expect(holders(project.home, SECRET).length).toBeGreaterThan(1)

    const unasked = await project.run('erase', '--text-from', file)
    expect(unasked.code).toBe(2)
    expect(unasked.out).toMatch(
      /It would go out of \d+ events?, \d+ pieces? of kept bytes and 1 file\.[\s\S]*has not ended/,
    )
    expect(unasked.err).toMatch(/Nothing was done\..*--yes/)
    expect(holders(project.home, SECRET).length).toBeGreaterThan(1)

    const done = await project.run(
      'erase',
      '--text-from',
      file,
      '--also',
      trace,
      '--reason',
      'leaked',
      '--yes',
    )
    expect([done.code, done.err]).toEqual([0, ''])
    expect(holders(project.home, SECRET)).toEqual([])
    expect(holders(trace, SECRET)).toEqual([])
    expect(await wrong(project)).toEqual([])
    expect((await project.run('erase', '--list')).out).toMatch(/a text, by .*: \d+ events?[\s\S]*leaked/)
    const [row] = (await project.json<{ rows: { id: string; ask: string }[] }>('decision', 'list')).rows
    expect(row?.ask).toBe('Ship [erased]?')
    expect((await project.run('decision', 'answer', row!.id, 'ship')).code).toBe(0)
    expect(await project.json('show', run)).toMatchObject({ row: { end: 'done' } })
    expect((await project.run('erase', '--text-from', file)).out).toMatch(/stands nowhere/)
    expect((await project.run('erase', '--text-from', '/no/such/file')).code).toBe(2)
    expect((await project.run('erase')).err).toMatch(/Say one of: --text-from/)
    writeFileSync(file, 'abc\n')
    expect((await project.run('erase', '--text-from', file, '--yes')).err).toMatch(/fewer than 6 characters/)
  })

  it('takes no text from the command line, and says where it stands by now', async () => {
    const project = openProject()
    const { code, out, err } = await project.run('erase', SECRET, '--yes')
    expect(code).toBe(2)
    expect(err).toMatch(/--text-from FILE.*history of your shell/)
    expect(out + err).not.toContain(SECRET)
  })

  it('says with its exit code and in words that it is not all gone, and what remains', async () => {
    const project = openProject()
    const { file } = await leak(project)
    const trace = project.path('trace')
    mkdirSync(trace)
    writeFileSync(join(trace, 'wire'), SECRET)
    linkSync(join(trace, 'wire'), project.path('wire'))
    const order = ['erase', '--text-from', file, '--also', trace, '--yes']
    const done = await project.run(...order)
    expect(done.code).toBe(1)
    expect(done.out).toMatch(
      /\nIt is not all gone: only what could be erased is\. A tombstone .*\n.*\/trace\/wire has it, and another name/,
    )
    expect(holders(project.home, SECRET)).toEqual([])
    expect(await project.run(...order)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Nothing of it can be erased like this\.\n.*\/trace\/wire has it/),
    })
    expect(JSON.parse((await project.run(...order, '--json')).out)).toMatchObject({
      files: [],
      remains: [expect.stringMatching(/wire has it/)],
    })
  })

  it('does the same through a host that is up, which forgets it too', async () => {
    const project = openProject()
    const { run, file } = await leak(project)
    const host = project.begin('up', '--port', '0')
    await host.says(/http:/)
    expect((await project.run('show', run)).out).toContain(SECRET)
    expect((await project.run('erase', '--text-from', file, '--yes')).code).toBe(0)
    expect((await project.run('show', run)).out).not.toContain(SECRET)
    expect(holders(project.home, SECRET)).toEqual([])
    const [row] = (await project.json<{ rows: { id: string }[] }>('decision', 'list')).rows
    expect((await project.run('decision', 'answer', row!.id, 'ship')).code).toBe(0)
    expect(holders(project.home, SECRET)).toEqual([])
    expect((await project.run('erase', '--run', run, '--yes')).code).toBe(0)
    expect((await project.run('show', run)).err).toMatch(/Run \w+ \(ask\) ended as done, and was erased by/)
    expect(await project.json('decision', 'list', '--all')).toMatchObject({ rows: [] })
    expect(await wrong(project)).toEqual([])
  })

  it('finishes later what a reader was in the way of, and says so', async () => {
    const project = openProject()
    const { file } = await leak(project)
    const host = project.begin('up', '--port', '0')
    await host.says(/http:/)
    const reader = new DatabaseSync(join(project.home, 'signalbox.db'))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM events').get()
    const first = await project.run('erase', '--text-from', file, '--yes')
    expect([first.code, first.out + first.err]).toEqual([
      1,
      expect.stringMatching(/It is not all gone: [\s\S]*Another process reads the database/),
    ])
    expect(holders(project.home, SECRET)).not.toEqual([])
    reader.exec('COMMIT')
    reader.close()
    const again = await project.run('erase', '--text-from', file)
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringMatching(/gone from the free parts of the database, too/),
    ])
    expect(holders(project.home, SECRET)).toEqual([])
    expect((await project.run('erase', '--text-from', file)).out).toMatch(/stands nowhere/)
  })
})

describe('[J14] prune', () => {
  it('takes finished runs away, keeps unmerged work unless told, and leaves a tombstone', async () => {
    const project = openProject()
    expect((await project.run('run', 'fails')).code).toBe(1)
    expect((await project.run('run', 'build')).code).toBe(0)
    await project.run('run', 'ask')
    const rows = await project.json<{ run: string; name: string; branch: string }[]>('ps', '--all')
    const of = (name: string) => rows.find((row) => row.name === name)!
    expect((await project.run('prune')).out).toBe('No run is to go.\n')
    const shown = await project.run('prune', '--older-than', '1s')
    expect(shown.code).toBe(2)
    expect(shown.out).toMatch(new RegExp(`${of('fails').run} +fails +abandoned[\\s\\S]*1 run would go`))
    expect(shown.out).toMatch(
      new RegExp(`Kept: ${of('build').run}, for its branch ${of('build').branch} has work`),
    )
    expect((await project.run('prune', of('ask').run, '--yes')).out).toMatch(
      /Kept: \w+, for it has not ended/,
    )

    expect((await project.run('prune', '--state', 'abandoned', '--yes', '--reason', 'old')).code).toBe(0)
    expect(
      (await project.json<{ name: string }[]>('ps', '--all')).map(({ name }) => name).toSorted(),
    ).toEqual(['ask', 'build'])
    expect((await project.run('show', of('fails').run)).err).toMatch(/ended as abandoned, and was pruned by/)
    expect(existsSync(join(project.home, 'logs', `${of('fails').run}.jsonl`))).toBe(false)
    expect(
      readdirSync(join(project.home, 'grounds')).filter((name) => name.endsWith(of('fails').run)),
    ).toEqual([])
    expect(project.git('branch', '--list', of('fails').branch)).toBe('')
    expect(await wrong(project)).toEqual([])

    project.git('merge', '-q', '--no-edit', of('build').branch)
    expect((await project.run('prune', of('build').run, '--yes')).code).toBe(0)
    expect(project.git('branch', '--list', of('build').branch)).toBe('')
    expect(project.git('ls-files', 'src')).toBe('src/made.txt')
    expect(await wrong(project)).toEqual([])
    expect(await project.json<object[]>('erase', '--list')).toMatchObject([
      { what: 'prune', reason: 'old', runs: [{ name: 'fails', end: 'abandoned' }] },
      { what: 'prune', runs: [{ name: 'build', end: 'done' }] },
    ])
  })
})
