/** What `doctor` finds, on a real home: a journal, a config, a folder that cannot be used. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectNoCrash } from './command.fixture.ts'
import { openProject } from './runs.fixture.ts'

describe('the doctor', () => {
  it('[J5] [J6] finds everything well, makes the lists again, and sees what was tampered with', async () => {
    const project = openProject()
    expect((await project.run('doctor')).out).toMatch(/journal +\S+ \(made by the first run\)/)
    expect((await project.run('run', 'fails')).code).toBe(1)
    const before = await project.json('ps', '--all')
    const well = await project.run('doctor')
    expect(well.out).toMatch(/✓ hash chain/)
    expect(well.out).toMatch(/✓ journal +\S+: 0 runs going on, 1 ended/)
    const database = join(project.home, 'signalbox.db')
    expect(await project.run('doctor', '--rebuild')).toMatchObject({
      code: 0,
      out: 'The read models were made again from 1 stream.\n',
    })
    expect(await project.json('ps', '--all')).toEqual(before)

    const { DatabaseSync } = await import('@photostructure/sqlite')
    const db = new DatabaseSync(database)
    db.exec("UPDATE events SET data = replace(data, 'broken', 'mended') WHERE data LIKE '%broken%'")
    db.close()
    const ill = await project.run('doctor')
    expect(ill.code).toBe(1)
    expect(ill.out).toMatch(/✗ hash chain +run\/\w+ event \d+: /)
    expect(await project.json('doctor')).toContainEqual(
      expect.objectContaining({ about: 'hash chain', state: 'bad' }),
    )

    for (const end of ['', '-wal', '-shm'])
      if (existsSync(database + end)) writeFileSync(database + end, 'this is no database '.repeat(500))
    for (const command of [['ps'], ['doctor'], ['run', 'fails']]) {
      const ran = await project.run(...command)
      expect(ran.code).toBe(1)
      expect(`${ran.out}${ran.err}`).toMatch(/signalbox\.db/)
      expectNoCrash(ran)
    }
  })

  it('[X6] tells what is wrong in a config, and what would be right', async () => {
    const project = openProject()
    writeFileSync(join(project.repo, '.signalbox/config.yaml'), 'sandbox: off\n')
    expect((await project.run('doctor')).out).toMatch(
      /✗ config +\S+:1:10 A project cannot switch the sandbox off\. Say it in your own config/,
    )
  })

  it('[L22] shows the project’s own commands, and what each is taken from', async () => {
    const project = openProject()
    expect((await project.run('doctor')).out).toMatch(/! commands +none is known here for \$\{run\.test\}/)
    writeFileSync(join(project.repo, 'package.json'), '{"scripts":{"test":"vitest"}}')
    writeFileSync(join(project.repo, 'go.mod'), 'module x')
    writeFileSync(join(project.repo, '.signalbox/config.yaml'), 'commands: { lint: make lint }\n')
    const { out } = await project.run('doctor')
    expect(out).toMatch(
      /✓ commands +\$\{run\.test\} is `npm test` \(the script "test" of package\.json, npm by default\)/,
    )
    expect(out).toMatch(/✓ commands +\$\{run\.build\} is `go build \.\/\.\.\.` \(go\.mod\)/)
    expect(out).toMatch(/✓ commands +\$\{run\.lint\} is `make lint` \(`commands` in the config\)/)
    expect(out).toMatch(/! commands +there are package\.json, go\.mod: each command is taken from the first/)

    writeFileSync(
      join(project.repo, 'odd.yaml'),
      'runbook: 1\nsteps: { a: { check: "${run.setup}", next: done } }\n',
    )
    const checked = await project.run('check', 'odd.yaml')
    expect(checked.code).toBe(0)
    expect(checked.out).toMatch(/warning\[no-command\] This project has no command for \$\{run\.setup\}/)
  })

  it('[K11] tells of files of runs that an emptied journal does not know, and so do `ps` and `up`', async () => {
    const project = openProject()
    expect((await project.run('run', 'fails')).code).toBe(1)
    const [{ run }] = await project.json<[{ run: string }]>('ps', '--all')
    const well = await project.run('doctor')
    expect(well.out).toMatch(/✓ worktrees +1, each of a run that the journal knows/)
    expect(well.out).toMatch(/✓ disk used +.*journal \(kept bytes /)
    expect(well.out).toMatch(/✓ home +\S+ can be written/)
    for (const end of ['', '-wal', '-shm']) rmSync(join(project.home, `signalbox.db${end}`), { force: true })
    const words = `files of one run lie beside a journal that does not know of them (${run})`
    expect((await project.run('ps')).out).toContain(`No runs are known, but ${words}`)
    const ill = await project.run('doctor')
    expect(ill.code).toBe(1)
    expect(ill.out).toMatch(/✗ worktrees +files of one run/)
    const host = project.begin('up', '--port', '0')
    await host.says(`Here ${words}`)
    host.signal('SIGTERM')
    expect((await host.ended).code).toBe(0)
  })

  it('tells of a home that cannot be used', async () => {
    const project = openProject()
    writeFileSync(project.home, 'a file')
    for (const command of [['ps'], ['run', 'fails'], ['up', '--port', '0']]) {
      const ran = await project.run(...command)
      expect(ran.code).toBe(1)
      expect(ran.err).toMatch(/cannot keep its data in .*SIGNALBOX_HOME/)
      expectNoCrash(ran)
    }
  })
})
