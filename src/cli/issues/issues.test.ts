/** Issues of a real repository, from the command line: reading and changing them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRepository, temporaryFolder } from '../../host/workspace/repository.fixture.ts'
import { at, FILES } from './issues.fixture.ts'
import { issueList, issueShow } from './read.ts'
import { issueComment, issueEdit, issueNew, issueStatus } from './write.ts'

describe('signalbox issue list', () => {
  const list = (dir: string, options = {}) => at(dir, (setting) => issueList(options, setting))

  it('lists them in order, in columns, with what they wait for', async () => {
    const { dir } = createRepository(FILES)
    const { code, out } = await list(dir)
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'ISSUE  STATUS  WAITS FOR  TITLE',
        '1      Done    ·          First',
        '2      Doing   ·          The second one',
        '10     Todo    2, 99      Tenth',
        '',
      ].join('\n'),
    )
  })

  it('tells how many criteria are met, where there are some', async () => {
    const { dir } = createRepository({
      ...FILES,
      '.signalbox/issues/11.md': '## Acceptance criteria\n- [x] a\n- [ ] b\n',
    })
    expect((await list(dir)).out).toMatch(
      /^ISSUE {2}STATUS {2}MET {2}WAITS FOR {2}TITLE$[\s\S]*^11 {5}Todo {4}1\/2 {2}·/m,
    )
  })

  it('lists only those that are asked for', async () => {
    const { dir } = createRepository(FILES)
    const ids = async (options: object): Promise<string[]> =>
      JSON.parse((await list(dir, { json: true, ...options })).out).issues.map(({ id }: { id: string }) => id)
    expect(await ids({ status: 'DONE' })).toEqual(['1'])
    expect(await ids({ label: ['ui', 'small'] })).toEqual(['2'])
    expect(await ids({ label: ['ui', 'large'] })).toEqual([])
    expect(await ids({ parent: '1' })).toEqual(['2'])
    expect(await list(dir, { parent: '7' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('(issue-not-found)'),
    })
    expect((await list(dir, { status: 'nothing' })).out).toBe('None of 3 issues is like that.\n')
  })

  it('--json says the same', async () => {
    const { dir } = createRepository(FILES)
    const { issues, problems } = JSON.parse((await list(dir, { json: true })).out)
    expect(problems).toEqual([])
    expect(issues[1]).toMatchObject({
      ...{ id: '2', status: 'Doing', dependsOn: ['1'], labels: ['ui', 'small'], waitsFor: [], subIssues: [] },
    })
    expect(issues[0].subIssues).toEqual([{ id: '2', title: 'The second one', status: 'Doing' }])
    expect(issues[2].waitsFor.map(({ id }: { id: string }) => id)).toEqual(['2', '99'])
  })

  it('tells of files that are no issues, and fails', async () => {
    const { dir } = createRepository({ ...FILES, '.signalbox/issues/3.md': '---\nopen\n' })
    mkdirSync(join(dir, '.signalbox/issues/4.md'))
    const { code, out } = await list(dir)
    expect(code).toBe(1)
    expect(out).toMatch(/^10 +Todo/m)
    expect(out).toMatch(/^✗ \.signalbox\/issues\/3\.md, line 1: /m)
    expect(out).toMatch(/✗ \.signalbox\/issues\/4\.md cannot be read/)
  })

  it('says how to begin, and needs a repository', async () => {
    const { dir } = createRepository()
    expect(await list(dir)).toMatchObject({
      code: 0,
      out: 'No issues yet. signalbox issue new "TITLE" writes one.\n',
    })
    expect(await list(temporaryFolder())).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is not in a git repository/),
    })
  })

  it('[I1] reads the folder that the config names', async () => {
    const { dir } = createRepository({
      ...FILES,
      'docs/todo/7.md': '# Seven',
      '.signalbox/config.yaml': 'issues: ./docs/todo/\n',
    })
    expect((await list(dir)).out).toBe('ISSUE  STATUS  WAITS FOR  TITLE\n7      Todo    ·          Seven\n')
    const inRun = (folder: string) =>
      at(dir, (setting) => issueList({}, setting), { env: { SIGNALBOX_ISSUE_FOLDER: folder } })
    expect((await inRun('')).out).toContain('Tenth')
    expect((await inRun('docs/none')).out).toContain('No issues yet')
  })
})

describe('signalbox issue show', () => {
  const show = (dir: string, id: string, json = false) =>
    at(dir, (setting) => issueShow(id, { json }, setting))

  it('shows all of one, and moves no cursor', async () => {
    const { dir } = createRepository(FILES)
    const { code, out } = await show(join(dir, '.signalbox'), '2')
    expect(code).toBe(0)
    expect(out).toBe(
      [
        '2  The second one',
        '  status      Doing',
        '  depends on  1',
        '  part of     1',
        '  labels      ui, small',
        '  file        .signalbox/issues/2.md',
        '',
        '# What',
        '',
        'All [2J of it.',
        '',
      ].join('\n'),
    )
  })

  it('tells what it waits for', async () => {
    const { dir } = createRepository(FILES)
    expect((await show(dir, '10')).out).toMatch(/^ {2}waits +2 is Doing; 99 has no file that can be read$/m)
    const { waitsFor, title } = JSON.parse((await show(dir, '10', true)).out)
    expect(title).toBe('Tenth')
    expect(waitsFor).toHaveLength(2)
  })

  it('tells of one that is not there, with a near one', async () => {
    const { dir } = createRepository({ 'TODO/APP-12.md': '# Twelve' })
    const { code, out, err } = await show(dir, 'APP-21')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toBe('error: There is no issue APP-21 in TODO. Did you mean APP-12? (issue-not-found)\n')
    expect((await show(dir, '../x')).err).toMatch(/is not the id of an issue/)
    expect(await show(createRepository().dir, '1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('(tracker-missing)'),
    })
  })
})

describe('signalbox issue new', () => {
  const make = (dir: string, title: string, options = {}, input = '') =>
    at(dir, (setting) => issueNew(title, options, setting), { input })

  it('files an issue under the next number, and puts it into the index', async () => {
    const repo = createRepository(FILES)
    const { code, out } = await make(repo.dir, 'A new: one', { body: 'Do it well.' })
    expect({ code, out }).toEqual({ code: 0, out: '✓ 11  Todo  A new: one  .signalbox/issues/11.md\n' })
    expect(repo.read('.signalbox/issues/11.md')).toBe(
      '---\nid: 11\ntitle: "A new: one"\nstatus: Todo\ndepends-on: []\n---\n\nDo it well.\n',
    )
    expect(repo.read('.signalbox/issues/README.md')).toContain('\n- [11](11.md) A new: one · Todo\n')
  })

  it('with what it belongs to', async () => {
    const repo = createRepository(FILES)
    const { out } = await make(repo.dir, 'Part', {
      ...{
        parent: '1',
        label: ['bug', 'bug', 'a b'],
        dependsOn: ['2', '10'],
        category: 'Parser',
        json: true,
      },
    })
    expect(JSON.parse(out)).toMatchObject({
      ...{ id: '11', parent: '1', labels: ['bug', 'a b'], dependsOn: ['2', '10'], category: 'Parser' },
      waitsFor: [{ id: '2' }, { id: '10' }],
    })
    expect(repo.read('.signalbox/issues/1.md')).toContain(
      '## Sub-issues\n\n<!-- signalbox:sub-issues -->\n\n- [2](2.md) The second one · Doing\n  - ↳ [11](11.md) Part · Todo\n\n<!-- /signalbox:sub-issues -->\n',
    )
  })

  it('takes the body from a file or from standard input', async () => {
    const repo = createRepository({ 'body.md': 'From a file.\n' })
    const file = await make(repo.dir, 'One', { file: 'body.md', json: true })
    expect(JSON.parse(file.out)).toMatchObject({ id: '1', title: 'One', body: 'From a file.' })
    expect((await make(repo.dir, 'Two', { file: '-' }, 'From a pipe.')).code).toBe(0)
    expect(repo.read('.signalbox/issues/2.md')).toContain('From a pipe.')
  })

  it.each([
    ['no title', ' ', {}, 1, /needs a title.*\(text-empty\)/],
    ['two bodies', 'T', { body: 'a', file: 'b' }, 2, /not from both/],
    ['a file that is not there', 'T', { file: 'gone.md' }, 2, /gone\.md does not exist/],
    ['a part of nothing', 'T', { parent: '7' }, 2, /There is no issue 7.*\(issue-not-found\)/],
    ['what waits for nothing', 'T', { dependsOn: ['7'] }, 2, /There is no issue 7.*\(dependency-missing\)/],
  ])('refuses %s, and takes no number for it', async (_what, title, options, code, says) => {
    const repo = createRepository(FILES)
    const result = await make(repo.dir, title, options)
    expect(result.code).toBe(code)
    expect(result.err).toMatch(says)
    expect(repo.git('status', '--porcelain')).toBe('')
    expect((await make(repo.dir, 'Next')).out).toContain('✓ 11 ')
  })
})

const CRITERIA =
  '---\ntitle: One\nstatus: Todo\n---\n\n## Acceptance criteria\n\n- [ ] It is fast\n- [ ] It is small\n'

describe('signalbox issue edit, comment and status', () => {
  const edit = (dir: string, options: object) => at(dir, (setting) => issueEdit('1', options, setting))
  const status = (dir: string, id: string, value?: string, options = {}) =>
    at(dir, (setting) => issueStatus({ id, status: value }, options, setting))

  it('[I6] check criteria, and the status follows, wherever it is told', async () => {
    const repo = createRepository({
      'TODO/1.md': CRITERIA,
      'TODO/0.md': '# Whole\n',
      'TODO/README.md': '# Mine\n',
    })
    expect((await edit(repo.dir, { check: ['fast'], parent: '0' })).out).toBe(
      '✓ 1  In Progress  One  TODO/1.md\n',
    )
    expect(repo.read('TODO/0.md')).toContain('- [1](1.md) One · In Progress\n')
    expect((await status(repo.dir, '1')).out).toBe('In Progress\n')
    expect((await status(repo.dir, '1', undefined, { fromCriteria: true })).out).toContain('In Progress')
    expect((await edit(repo.dir, { check: ['2'], parent: false })).out).toContain('✓ 1  Done')
    expect(repo.read('TODO/1.md')).toBe(CRITERIA.replace('Todo', 'Done').replaceAll('[ ]', '[x]'))
    expect(repo.read('TODO/README.md')).toBe(
      '# Mine\n\n<!-- signalbox:index -->\n\n- [0](0.md) Whole · Todo\n- [1](1.md) One · Done\n\n<!-- /signalbox:index -->\n',
    )
  })

  it('[I6] a status is set, or follows from the criteria; without any, from the sub-issues', async () => {
    const repo = createRepository({
      'TODO/1.md': CRITERIA,
      'TODO/2.md': '# Two\n',
      'TODO/3.md': '---\nparent: 2\n---\n',
    })
    expect((await status(repo.dir, '1', 'in-progress')).out).toContain('✓ 1  In Progress')
    expect((await status(repo.dir, '1', 'done')).out).toContain('✓ 1  Done')
    expect((await status(repo.dir, '1', undefined, { fromCriteria: true })).out).toContain('✓ 1  In Progress')
    expect((await status(repo.dir, '2', undefined, { fromCriteria: true })).out).toContain('✓ 2  In Progress')
    await status(repo.dir, '3', 'Done')
    expect((await status(repo.dir, '2', undefined, { fromCriteria: true })).out).toContain('✓ 2  Done')
    expect(await status(repo.dir, '1', 'finished')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no status. It is one of Todo, In Progress, Done\. \(status-unknown\)/),
    })
    expect((await status(repo.dir, '9', 'done')).code).toBe(2)
  })

  it('[I5] says something in a name', async () => {
    const repo = createRepository({ 'TODO/1.md': '# One\n' })
    const comment = (text: string | undefined, options = {}, more = {}) =>
      at(repo.dir, (setting) => issueComment({ id: '1', text }, options, setting), more)
    expect((await comment('Fine.')).code).toBe(0)
    await comment('-', {}, { input: 'Piped.' })
    await comment('As the run.', {}, { env: { SIGNALBOX_RUN: 'abcd2345', SIGNALBOX_RUN_FILE: '/x' } })
    await comment('As Eve.', { by: 'Eve' })
    const { out } = await at(repo.dir, (setting) => issueShow('1', { json: true }, setting))
    const now = new Date().toISOString().slice(0, 10)
    expect(JSON.parse(out).comments).toEqual(
      [
        ['Tester', 'Fine.'],
        ['Tester', 'Piped.'],
        ['run abcd2345', 'As the run.'],
        ['Eve', 'As Eve.'],
      ].map(([by, text]) => ({ at: expect.stringMatching(`^${now} \\d\\d:\\d\\d UTC$`), by, text })),
    )
    expect(await comment(undefined)).toMatchObject({ code: 1, err: expect.stringContaining('(text-empty)') })
    expect((await comment('a', { file: 'b' })).code).toBe(2)
  })

  it('[I2] changes nothing where nothing is to be changed', async () => {
    const repo = createRepository({ 'TODO/1.md': CRITERIA })
    await edit(repo.dir, { title: 'One' })
    expect(repo.git('status', '--porcelain')).toBe('?? TODO/README.md')
    expect(await edit(repo.dir, { dependsOn: ['1'] })).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 waits for 1. (dependency-cycle)'),
    })
  })
})
